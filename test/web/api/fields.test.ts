import { describe, expect, test } from 'bun:test'
import {
  type Body,
  bodyForms,
  created,
  form,
  invalid,
  json,
  multipartOf,
  part,
  post,
} from '../../support/api.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const formType = 'application/x-www-form-urlencoded'
const blank = { message: ["can't be blank"] }

const service = await useService()
const ada = await signUpPoster(service)

async function details(body: Body): Promise<Record<string, string[]>> {
  return await invalid(await post(service, ada.token, body))
}

describe('a message that shows nothing is blank', () => {
  test.each([
    {},
    { message: null },
    { Message: 'a' },
    { 'message ': 'a' },
    { 'message[]': 'a' },
    { text: 'a' },
  ])('as it is missing in %j', async (fields) => expect(await details(json(fields))).toEqual(blank))

  test.each([
    ['nothing', ''],
    ['white space', ' \t\r\n\u000b\u000c'],
    ['Unicode white space', '\u00a0\u1680\u2003\u2028\u2029\u202f\u205f\u3000'],
    ['zero-width characters', '\u200b\u200c\u200d\u2060\ufeff'],
    ['fillers', '\u115f\u1160\u3164\uffa0\u2800'],
    ['bidi controls', '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'],
    ['variation selectors and tags', '\ufe0f\ufe0e\u{e0100}\u{e0061}'],
    ['a soft hyphen and invisible operators', '\u00ad\u034f\u180e\u2061\u2062\u2063\u2064'],
  ])('%s', async (_, message) => {
    for (const bodyOf of Object.values(bodyForms)) expect(await details(bodyOf({ message }))).toEqual(blank)
  })

  test.each(['.', ' 0 ', '👍', '\u200b👩‍💻', '\u202ea', '\u0301', '🇸🇪', '-'])('but not %j', async (message) =>
    created(await post(service, ada.token, json({ message }))),
  )
})

describe('what no text may hold is refused by the name of its field', () => {
  const characters = [
    '\0',
    '\u0001',
    '\u0008',
    '\u000b',
    '\u001b',
    '\u007f',
    '\u0085',
    '\u009b',
    '\ud83d',
    '\udc00',
  ]

  test.each(characters)('%j', async (character) => {
    const message = `a${character}b`
    const url = `https://example.com/a${character}b`
    expect(Object.keys(await details(json({ message })))).toEqual(['message'])
    expect(Object.keys(await details(json({ message: 'a', url })))).toEqual(['url'])
    expect(Object.keys(await details(json({ message: 'a', category: `bug_fix${character}` })))).toEqual([
      'category',
    ])
  })

  test('in a form as well', async () => {
    expect(Object.keys(await details({ type: formType, bytes: 'message=a%00b' }))).toEqual(['message'])
    expect(Object.keys(await details(multipartOf([part('name="message"', 'a\0b')])))).toEqual(['message'])
  })

  test('but not tab, CR and LF in a message, nor anything in an unknown field', async () => {
    await created(await post(service, ada.token, json({ message: '\ta\r\nb', 'un\0known': '\0\ud83d' })))
  })
})

describe('a value is text, and is not coerced:', () => {
  test.each([[42], [0], [-1.5], [true], [false], [[]], [['a']], [{}], [{ a: 1 }]])('%j', async (value) => {
    for (const name of ['message', 'url', 'category']) {
      expect(await details(json({ message: 'a', [name]: value }))).toEqual({ [name]: ['must be a string'] })
    }
  })
})

describe('a form field may be given once, and not as a file', () => {
  test.each(['message', 'url', 'category'])('%s', async (name) => {
    const rest = name === 'message' ? '' : '&message=a'
    const once = { [name]: ['must be given once'] }
    expect(await details({ type: formType, bytes: `${name}=a&${name}=b${rest}` })).toEqual(once)
    expect(await details({ type: formType, bytes: `${name}=a&x=1&%${hex(name)}=a${rest}` })).toEqual(once)
    const message = name === 'message' ? [] : [part('name="message"', 'a')]
    const twice = [part(`name="${name}"`, 'a'), ...message, part(`name="${name}"`, 'a')]
    expect(await details(multipartOf(twice))).toEqual(once)
    for (const filename of ['a.txt', '']) {
      const file = part(`name="${name}"; filename="${filename}"`, 'a')
      expect(await details(multipartOf([file, ...message]))).toEqual({ [name]: ['must be text, not a file'] })
    }
  })

  test('where it is unknown it is ignored', async () => {
    const file = part('name="log"; filename="a.bin"', Uint8Array.of(0xff, 0, 0xfe))
    const parts = [part('name="message"', 'a'), file, part('name="x"', '1'), part('name="x"', '2')]
    await created(await post(service, ada.token, multipartOf(parts)))
    await created(
      await post(service, ada.token, { type: formType, bytes: 'message=a&x=1&x=2&x&&=&__proto__=1' }),
    )
  })

  test('a plus is a space, and "=" belongs to the value', async () => {
    const response = await post(service, ada.token, { type: formType, bytes: 'message=a+b%2Bc=d' })
    expect((await created(response)).message).toBe('a b+c=d')
  })
})

const goodUrls = [
  'http://a',
  'https://example.com',
  'HTTPS://EXAMPLE.COM/A',
  'https://example.com:8443/a?b=c#d',
  'https://例え.jp/ä',
  'https://xn--r8jz45g.jp',
  'http://127.0.0.1:3000/',
  'http://[::1]/',
  'https://example.com/@ada',
  'https://example.com?u=a@b',
  'https://example.com#a@b',
  'https://example.com/%00%zz',
  'https://example.com/"><script>',
]

const badUrls = [
  'example.com',
  '/commit/1',
  '//example.com/a',
  'ftp://example.com',
  'javascript:alert(1)',
  'JaVaScRiPt://example.com/%0aalert(1)',
  'data:text/html,a',
  'mailto:ada@example.com',
  'file:///etc/passwd',
  'blob:https://example.com/a',
  'view-source:https://example.com',
  'ssh://git@github.com/a',
  'http:',
  'http://',
  'https:///example.com',
  'https:example.com',
  'https:\\\\example.com',
  'https://\\example.com',
  'https://ada@example.com',
  'https://ada:secret@example.com',
  'https://:secret@example.com',
  'https://@example.com',
  'https://example.com:99999',
  'https://exa mple.com',
  'https://example.com/a b',
  ' https://example.com',
  'https://example.com\n',
  'java\tscript:alert(1)',
  'https://example.com/\u202egpj.exe',
  'https://[::1',
  'https://%00.example',
  ' ',
]

describe('a url', () => {
  test.each(goodUrls)('%s is taken', async (url) => {
    expect((await created(await post(service, ada.token, form({ message: 'a', url })))).url).toBe(url)
  })

  test.each(badUrls)('%j is refused', async (url) => {
    for (const bodyOf of [json, form]) {
      expect(Object.keys(await details(bodyOf({ message: 'a', url })))).toEqual(['url'])
    }
  })
})

test.each([
  'bug fix',
  'Feature',
  'FEATURE',
  ' feature',
  'bug-fix',
  'deployment',
  'null',
  'toString',
  '__proto__',
])('the category %j is refused, and the four are named', async (category) => {
  const { category: reasons, ...rest } = await details(form({ message: 'a', category }))
  expect(rest).toEqual({})
  for (const slug of ['feature', 'bug_fix', 'performance_improvement', 'styling_change']) {
    expect(reasons?.join()).toContain(slug)
  }
})

test('all invalid fields are told at once, and no valid one', async () => {
  for (const bodyOf of Object.values(bodyForms)) {
    const body = bodyOf({ message: ' ', url: 'ftp://example.com', category: 'bug' })
    const told = await details(body)
    expect(Object.keys(told).sort()).toEqual(['category', 'message', 'url'])
    expect(told.message).toEqual(["can't be blank"])
    expect(Object.keys(await details(bodyOf({ message: '', url: 'https://example.com' })))).toEqual([
      'message',
    ])
  }
})

function hex(name: string): string {
  return name.charCodeAt(0).toString(16) + name.slice(1)
}
