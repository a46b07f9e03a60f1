import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isInNetworks, isWithin, networkText, readNetwork, type Network } from './index.ts'

const network = (text: string): Network => {
  const read = readNetwork(text)
  assert.ok(read, text)
  return read
}

test('every way to write a network is stored in one', () => {
  const written = {
    '10.0.0.0/8': '10.0.0.0/8',
    '10.1.2.3/8': '10.0.0.0/8',
    '192.0.2.7': '192.0.2.7/32',
    '0.0.0.0/0': '0.0.0.0/0',
    '2001:DB8:0:0::/32': '2001:db8::/32',
    '2001:db8::1': '2001:db8::1/128',
    '::/0': '::/0',
    '2001:db8:ffff:ffff::/34': '2001:db8:c000::/34',
    '::ffff:10.0.0.7': '10.0.0.7/32',
    '::ffff:10.0.0.0/104': '10.0.0.0/8',
  }
  for (const [text, stored] of Object.entries(written)) assert.equal(networkText(network(text)), stored, text)
})

test('what is no network is none', () => {
  for (const text of [
    ...[
      '',
      '/',
      '10.0.0.0/',
      '10.0.0.0/33',
      '10.0.0.0/-1',
      '10.0.0.0/08',
      '10.0.0.0/8/8',
      '10.0.0',
      '10.0.0.256',
    ],
    ...[
      '010.0.0.1',
      '0x7f.0.0.1',
      '127.1',
      'localhost',
      '::/129',
      ':::',
      '2001:db8::/x',
      '[::1]',
      '::ffff:10.0.0.0/95',
    ],
    ...['1:2:3:4:5:6:7:8:9', ' 10.0.0.1', '10.0.0.1\n', '::1%', '12345::', '1.2.3.4:80'],
  ])
    assert.equal(readNetwork(text), undefined, JSON.stringify(text))
})

test('an address is in the networks that hold it, in whatever way it is written', () => {
  const inside = [
    ['10.255.0.1', '10.0.0.0/8'],
    ['::ffff:10.0.0.1', '10.0.0.0/8'],
    ['::ffff:a00:1', '10.0.0.0/8'],
    ['203.0.113.9', '0.0.0.0/0'],
    ['2001:db8::5', '2001:db8::/32'],
    ['2001:0DB8:0:0:0:0:0:5', '2001:db8::5/128'],
    ['fe80::1%eth0', 'fe80::/10'],
    ['::1', '::/0'],
  ] as const
  for (const [address, of] of inside) assert.ok(isInNetworks(address, [network(of)]), `${address} ${of}`)
  const outside = [
    ['11.0.0.1', '10.0.0.0/8'],
    ['10.0.0.1', '::/0'],
    ['::1', '0.0.0.0/0'],
    ['2001:db9::', '2001:db8::/32'],
    ['192.0.2.8', '192.0.2.7/32'],
    ['', '0.0.0.0/0'],
    ['unknown', '::/0'],
  ] as const
  for (const [address, of] of outside) assert.ok(!isInNetworks(address, [network(of)]), `${address} ${of}`)
})

test('a network is within another of its family that has no more bits', () => {
  assert.ok(isWithin(network('10.1.0.0/16'), network('10.0.0.0/8')))
  assert.ok(isWithin(network('10.0.0.0/8'), network('10.0.0.0/8')))
  assert.ok(!isWithin(network('10.0.0.0/8'), network('10.0.0.0/16')))
  assert.ok(!isWithin(network('11.0.0.0/16'), network('10.0.0.0/8')))
  assert.ok(!isWithin(network('10.0.0.0/8'), network('::/0')))
})
