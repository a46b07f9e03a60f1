/** A person beside the assistant, as a process: approves one statement. */
const [url = '', id = ''] = process.argv.slice(2)
const response = await fetch(`${url}/api/v1/sql/approvals/${id}/approve`, {
  method: 'POST',
  headers: { 'x-owner-token': process.env['OWNER_TOKEN'] ?? '', 'content-type': 'application/json' },
  body: '{}',
})
if (response.status !== 200) throw new Error(await response.text())
