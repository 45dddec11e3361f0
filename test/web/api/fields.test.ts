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
import { rollToken, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()
const ada = await signUpPoster(service)
const formType = 'application/x-www-form-urlencoded'
const forms = Object.values(bodyForms)

async function details(body: Body): Promise<Record<string, string[]>> {
  return await invalid(await ada.post(body))
}

/** The names of the fields that are refused. */
async function refused(body: Body): Promise<string[]> {
  return Object.keys(await details(body)).sort()
}

test('a message that is missing, null, misnamed or shows nothing is blank, in every form', async () => {
  const missing = [{}, { message: null }, { Message: 'a' }, { 'message ': 'a' }, { 'message[]': 'a' }]
  const invisible = ['', ' \t\r\n', '\u200b\u3164\u202e\ufe0f'].map((message) => ({ message }))
  const bodies = [...missing.map(json), ...forms.flatMap((bodyOf) => invisible.map(bodyOf))]
  for (const body of bodies) expect(await details(body)).toEqual({ message: ["can't be blank"] })
  await created(await ada.post(json({ message: '\u202e.\u200b' })))
})

describe('what no text may hold is refused by the name of its field', () => {
  test.each(['\0', '\u001b', '\u0085', '\ud83d', '\udc00'])('%j', async (character) => {
    const url = `https://example.com/a${character}b`
    const inMessage = ada.post(json({ message: `a${character}b` }))
    // Real commit messages hold control characters, and must not block a pipeline.
    if (['\u001b', '\u0085'].includes(character)) await created(await inMessage)
    else expect(Object.keys(await invalid(await inMessage))).toEqual(['message'])
    expect(await refused(json({ message: 'a', url }))).toEqual(['url'])
    expect(await refused(json({ message: 'a', category: `bug_fix${character}` }))).toEqual(['category'])
  })

  test('in a form as well', async () => {
    expect(await refused({ type: formType, bytes: 'message=a%00b' })).toEqual(['message'])
    expect(await refused(multipartOf([part('name="message"', 'a\0b')]))).toEqual(['message'])
  })

  test('but not tab, CR and LF in a message, nor anything in an unknown field', async () => {
    await created(await ada.post(json({ message: '\ta\r\nb', 'un\0known': '\0\ud83d' })))
  })
})

test('a value is text, and is not coerced', async () => {
  for (const value of [42, 0, true, false, [], ['a'], {}]) {
    for (const name of ['message', 'url', 'category']) {
      expect(await details(json({ message: 'a', [name]: value }))).toEqual({ [name]: ['must be a string'] })
    }
  }
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
    await created(await ada.post(multipartOf(parts)))
    await created(await ada.post({ type: formType, bytes: 'message=a&x=1&x=2&x&&=&__proto__=1' }))
  })

  test('a plus is a space, and "=" belongs to the value', async () => {
    const response = await ada.post({ type: formType, bytes: 'message=a+b%2Bc=d' })
    expect((await created(response)).message).toBe('a b+c=d')
  })
})

/** Every reason is in domain/announcement/announcement-url.test.ts. */
test('a url that is no link is refused, in every form', async () => {
  for (const bodyOf of forms) {
    for (const url of ['javascript:alert(1)', 'https://ada:secret@example.com', 'https://', ' '])
      expect(await refused(bodyOf({ message: 'a', url }))).toEqual(['url'])
  }
})

test('a category that is none of the four is refused, and they are named', async () => {
  for (const category of ['bug fix', 'Feature', ' feature', 'deployment', 'null', '__proto__']) {
    expect(await details(form({ message: 'a', category }))).toEqual({
      category: ['must be one of feature, bug_fix, performance_improvement, styling_change'],
    })
  }
})

test('all invalid fields are named at once, and no valid one', async () => {
  for (const bodyOf of forms) {
    const body = bodyOf({ message: ' ', url: 'ftp://example.com', category: 'bug' })
    expect(await refused(body)).toEqual(['category', 'message', 'url'])
    expect(await refused(bodyOf({ message: '', url: 'https://example.com' }))).toEqual(['message'])
  }
})

test('a failure, another time and a misnamed environment are named at once, in every form', async () => {
  const wrong = { status: 'failure', state: 'error', deployed_at: '2020-01-01T00:00:00Z', env: 'production' }
  for (const bodyOf of forms) {
    expect(await refused(bodyOf({ message: ' ', ...wrong }))).toEqual([
      ...['deployed_at', 'env', 'message', 'state', 'status'],
    ])
    const right = { status: 'success', state: 'SUCCESS', deployed_at: new Date().toISOString(), env: '' }
    expect((await created(await ada.post(bodyOf({ message: 'a', ...right })))).status).toBe('success')
  }
})

function hex(name: string): string {
  return name.charCodeAt(0).toString(16) + name.slice(1)
}

test('a token that works for the caller is refused in any text, and the answer says to roll it', async () => {
  const person = await signUpPoster(service)
  const current = await rollToken(person, { keep_old: '24h' })
  const { token: old } = person
  const [stranger, rolledAway] = [await signUpPoster(service), await signUpPoster(service)]
  await rollToken(rolledAway)
  for (const own of [old, current]) {
    const inMessage = await invalid(await post(service, current, json({ message: `export TOKEN=${own}` })))
    expect(inMessage).toEqual({ message: [expect.stringContaining('roll the token')] })
    const url = `https://ci.example/?token=${own}`
    const inBoth = await invalid(await post(service, old, form({ message: own, url, category: 'x' })))
    expect(Object.keys(inBoth)).toEqual(['message', 'url', 'category'])
    expect(JSON.stringify(inBoth)).not.toContain(own)
  }
  const others = `${stranger.token} ${rolledAway.token}`
  await created(await post(service, current, json({ message: others })))
})

test('JSON sent as a form is refused with the header that is missing', async () => {
  for (const text of ['{"message":"a"}', ' { "message": "a", "url": "https://a.example/?b=c&d=e" }']) {
    expect(await details({ type: formType, bytes: text })).toEqual({
      message: ["can't be blank", expect.stringContaining('Content-Type: application/json')],
    })
  }
  expect(await details({ type: formType, bytes: 'text={"message":"a"}' })).toEqual({
    message: ["can't be blank"],
  })
  await created(await ada.post({ type: formType, bytes: 'message={"message":"a"}' }))
})
