import { describe, expect, test } from 'bun:test'
import { faultInXml } from './well-formed.ts'

describe('the check for well-formed XML', () => {
  const good = ['<a/>', '<a b="1" c="&#60;">text &amp; <d/> &#39;</a>\n', '<a>"quoted" \u{1F680}</a>']
  const bad = [
    ...['', 'text', '<a>', '</a>', '<a></b>', '<a/><b/>', '<a/>text', '<a b=1/>', '<a b="1" b="2"/>'],
    ...['<a b="<"/>', '<a b="""/>', '<a>&</a>', '<a>&nbsp;</a>', '<a>a < b</a>', '<a>\u0001</a>'],
    ...['<a>\uD800</a>', '<a>\uFFFF</a>', '<!DOCTYPE a><a/>', '<a><!-- --></a>'],
  ]

  test('accepts well-formed XML and nothing else', () => {
    expect(good.filter((text) => faultInXml(text) !== null)).toEqual([])
    expect(bad.filter((text) => faultInXml(text) === null)).toEqual([])
  })
})
