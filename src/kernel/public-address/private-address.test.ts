import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPrivateAddress } from './index.ts'

const publicAddresses = [
  '8.8.8.8',
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '[2606:4700:4700::1111]',
  '2001:4860:4860::8888',
  '::ffff:8.8.8.8',
  '::ffff:808:808',
  '[::ffff:8.8.8.8]',
  '64:ff9b::8.8.8.8',
  '64:ff9b::808:808',
  '2002:808:808::1',
]

const privateAddresses = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.7',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '[::1]',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::ffff:169.254.169.254',
  '0:0:0:0:0:ffff:7f00:0001',
  '::127.0.0.1',
  '::7f00:1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::8.8.8.8',
  '2002:7f00:1::',
  '2002:a00:1::1',
  '2001::1',
  '2001:db8::1',
  'fc00::1',
  'fd12:3456:789a::1',
  'fe80::1',
  'fe80::1%eth0',
  '[fe80::1%25eth0]',
  'fec0::1',
  'ff02::1',
  '100::1',
]

for (const address of publicAddresses)
  test(`${address} is public`, () => assert.equal(isPrivateAddress(address), false))

for (const address of privateAddresses)
  test(`${address} is private`, () => assert.equal(isPrivateAddress(address), true))

test('what is no address is treated as private', () => {
  for (const address of ['', 'localhost', '8.8.8', '8.8.8.8.8', '::g', '999.1.1.1'])
    assert.equal(isPrivateAddress(address), true, address)
})

test('every notation that a URL takes for an address is seen as what it is', () => {
  const hosts = ['0x7f.1', '0177.0.0.1', '2130706433', '127.1', '0x7f000001', '127.0.0.1.', '①27.0.0.1']
  for (const host of hosts) assert.equal(isPrivateAddress(new URL(`http://${host}/`).hostname), true, host)
  for (const host of ['0x08080808', '010.010.010.010', '134744072'])
    assert.equal(isPrivateAddress(new URL(`http://${host}/`).hostname), false, host)
})
