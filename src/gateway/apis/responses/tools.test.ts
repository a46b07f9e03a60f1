import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chatFor, responseTo } from './testing.ts'

test('tools are sent nested, free text becomes one argument, and a grammar is described in words', () => {
  const parameters = { type: 'object', properties: { city: { type: 'string' } } }
  const grammar = { type: 'grammar', syntax: 'lark', definition: 'start: "a"' }
  const { tools } = chatFor({
    tools: [
      { type: 'function', name: 'weather', description: 'The weather', parameters, strict: true },
      { type: 'function', name: 'now', parameters: null, strict: null },
      { type: 'custom', name: 'patch', description: 'Patches', format: grammar },
    ],
  })
  assert.deepEqual(tools, [
    { type: 'function', function: { name: 'weather', description: 'The weather', parameters, strict: true } },
    { type: 'function', function: { name: 'now', parameters: { type: 'object', properties: {} } } },
    {
      type: 'function',
      function: {
        name: 'patch',
        description: 'Patches',
        parameters: {
          type: 'object',
          properties: {
            input: {
              type: 'string',
              description: 'The input as plain text. It must match this lark grammar:\nstart: "a"',
            },
          },
          required: ['input'],
          additionalProperties: false,
        },
      },
    },
  ])
})

test("the tools of a group are sent under one name each, and their calls come back as the group's", () => {
  const group = {
    type: 'namespace',
    name: 'crm',
    description: 'The customers',
    tools: [
      { type: 'function', name: 'find', description: 'Finds one', parameters: {} },
      { type: 'custom', name: 'note' },
    ],
  }
  const tools = [group, { ...group, name: 'mcp__crm__' }, { type: 'function', name: 'find', parameters: {} }]
  const input = [
    { type: 'function_call', call_id: 'call_1', namespace: 'crm', name: 'find', arguments: '{}' },
    { type: 'function_call_output', call_id: 'call_1', output: 'nobody' },
  ]
  const asked = chatFor({ tools, input }) as {
    tools: { function: { name: string; description?: string } }[]
    messages: { tool_calls: { function: object }[] }[]
  }
  assert.deepEqual(
    asked.tools.map(({ function: { name, description } }) => [name, description]),
    [
      ['crm__find', 'The customers\n\nFinds one'],
      ['crm__note', 'The customers'],
      ['mcp__crm__find', 'The customers\n\nFinds one'],
      ['mcp__crm__note', 'The customers'],
      ['find', undefined],
    ],
  )
  assert.deepEqual(asked.messages[0]?.tool_calls[0]?.function, { name: 'crm__find', arguments: '{}' })
  const call = (name: string) => ({
    id: 'a',
    type: 'function',
    function: { name, arguments: '{"input":"x"}' },
  })
  const { output } = responseTo(
    { tools },
    { tool_calls: ['crm__find', 'mcp__crm__note', 'find', 'made_up'].map(call) },
  )
  assert.deepEqual(
    output.map((item) => [item['type'], item['namespace'], item['name'], item['arguments'] ?? item['input']]),
    [
      ['function_call', 'crm', 'find', '{"input":"x"}'],
      ['custom_tool_call', 'mcp__crm__', 'note', 'x'],
      ['function_call', undefined, 'find', '{"input":"x"}'],
      ['function_call', undefined, 'made_up', '{"input":"x"}'],
    ],
  )
  const allowed = { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'namespace', name: 'crm' }] }
  const kept = chatFor({ tools, tool_choice: allowed }) as typeof asked
  assert.deepEqual(
    kept.tools.map((tool) => tool.function.name),
    ['crm__find', 'crm__note'],
  )
})

test('tools that are offered within the conversation count as if they stood at its head, the last of a name', () => {
  const tool = (name: string, description: string) => ({
    type: 'function',
    name,
    description,
    parameters: {},
  })
  const offer = (...tools: object[]) => ({ type: 'additional_tools', role: 'developer', tools })
  const said = { role: 'user', content: 'Hello' }
  const group = {
    type: 'namespace',
    name: 'functions',
    description: '',
    tools: [{ type: 'custom', name: 'exec' }],
  }
  const tools = [tool('a', 'first'), tool('b', 'only')]
  const asked = chatFor({ tools, input: [offer(group), said, offer(tool('a', 'second'))] }) as {
    tools: { function: { name: string; description?: string } }[]
    messages: object[]
  }
  assert.deepEqual(
    asked.tools.map(({ function: { name, description } }) => [name, description]),
    [
      ['b', 'only'],
      ['functions__exec', undefined],
      ['a', 'second'],
    ],
  )
  assert.deepEqual(asked.messages, [said])
})

test('a choice among tools keeps its meaning', () => {
  const tools = ['a', 'b'].map((name) => ({ type: 'function', name, parameters: {} }))
  const chosen = (choice: unknown) => {
    const asked = chatFor({ tools, tool_choice: choice, parallel_tool_calls: false })
    const names = (asked['tools'] as { function: { name: string } }[]).map((tool) => tool.function.name)
    assert.equal(asked['parallel_tool_calls'], false)
    return [asked['tool_choice'], names.join()]
  }
  for (const word of ['auto', 'none', 'required']) assert.deepEqual(chosen(word), [word, 'a,b'])
  const named = { type: 'function', function: { name: 'b' } }
  assert.deepEqual(chosen({ type: 'function', name: 'b' }), [named, 'a,b'])
  assert.deepEqual(chosen({ type: 'custom', name: 'b' }), [named, 'a,b'])
  const allowed = { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'b' }] }
  assert.deepEqual(chosen(allowed), ['required', 'b'])
  const without = chatFor({ tools: [], tool_choice: 'auto', parallel_tool_calls: true })
  assert.deepEqual(Object.keys(without), ['model', 'messages'])
})
