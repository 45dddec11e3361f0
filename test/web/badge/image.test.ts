import { describe, expect, test } from 'bun:test'
import { wordsDrawn } from '../../badge/every-badge.ts'
import { faultInXml } from '../../badge/well-formed.ts'
import { answerKinds, kindHeaders } from '../../support/answer-kinds.ts'
import { signUp, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()
const ada = await signUpPoster(service)
await ada.announce({ message: 'x', url: 'https://example.com/a' })

async function badge(path: string, status = 200): Promise<string> {
  const response = await service.fetch(path)
  expect([path, response.status]).toEqual([path, status])
  expect(kindHeaders('badge', response)).toEqual(answerKinds.badge)
  const image = await response.text()
  expect(faultInXml(image)).toBeNull()
  return image
}

/** What assistive technology reads. */
function nameOf(image: string): string | undefined {
  return /<title>(.*?)<\/title>/.exec(image)?.[1]
}

describe('GET /badge/<username>.svg', () => {
  test('of a user who has just deployed is always Fresh in the very next request', async () => {
    for (let n = 0; n < 20; n += 1) {
      const poster = await signUpPoster(service)
      expect(nameOf(await badge(`/badge/${poster.username}.svg`))).toBe('deployed: Inactive')
      await poster.announce({ message: 'x' })
      expect(nameOf(await badge(`/badge/${poster.username}.svg`))).toBe('deployed: Fresh, just now')
    }
  })

  test('of a name that no user has is a 200 that says unknown', async () => {
    expect(nameOf(await badge('/badge/nobody-of-this-name.svg'))).toBe('deployed: unknown')
    expect(nameOf(await badge('/badge/nobody-of-this-name.svg?url=example.com'))).toBe('deployed: unknown')
    expect(nameOf(await badge('/badge/admin.svg'))).toBe('deployed: unknown')
  })

  test('takes the name in any case', async () => {
    expect(await badge(`/badge/${ada.username.toUpperCase()}.svg`)).toBe(
      await badge(`/badge/${ada.username}.svg`),
    )
  })

  test.each([
    ...['/badge/ada--b.svg', '/badge/-ada.svg', '/badge/ada_b.svg', `/badge/${'a'.repeat(40)}.svg`],
    ...['/badge/.svg', '/badge/ada.svg.svg', '/badge/ada.SVG', '/badge/ada.png', '/badge/ada'],
    ...['/badge/%00.svg', '/badge/a%00b.svg', '/badge/%zz.svg', '/badge/..%2f..%2fetc.svg'],
    ...['/badge/ad%E2%84%AA.svg', '/badge/<script>.svg'],
  ])('%s, which is no spelling of a name, is a 404 with an image, which repeats nothing', async (path) => {
    const image = await badge(path, 404)
    expect(nameOf(image)).toBe('deployed: unknown')
    expect(image).not.toMatch(/script|etc|ada/)
  })

  test('has three styles, and an unknown one is standard', async () => {
    const [standard, square, dot] = await Promise.all([
      badge(`/badge/${ada.username}.svg`),
      badge(`/badge/${ada.username}.svg?style=square`),
      badge(`/badge/${ada.username}.svg?style=dot`),
    ])
    expect(new Set([standard, square, dot]).size).toBe(3)
    expect(dot).toContain('<circle')
    for (const style of ['', 'standard', 'flat', 'DOT', 'Square', '__proto__', '%00', '<script>']) {
      expect(await badge(`/badge/${ada.username}.svg?style=${style}`)).toBe(standard)
    }
  })

  test('says its age and carries a label where it is asked to, with its twin', async () => {
    const query = '?show=age&label=production&style=square&url=example.com'
    const image = await badge(`/badge/${ada.username}.svg${query}`)
    expect(wordsDrawn(image)).toEqual(['production', 'just now'])
    expect(nameOf(image)).toBe('production: Fresh, just now')
    const twin = await service.fetch(`/badge/${ada.username}.json${query}`)
    expect(await twin.json()).toMatchObject({ label: 'production', message: 'just now', isError: false })
    expect(wordsDrawn(await badge(`/badge/${ada.username}.svg?show=age&url=nowhere.example`))).toEqual([
      'deployed',
      'never',
    ])
    expect(wordsDrawn(await badge('/badge/nobody-of-this-name.svg?show=age&label=a%20%20b'))).toEqual([
      'a b',
      'unknown',
    ])
  })

  test('ignores a "label" and a "show" that are not valid', async () => {
    const usual = await badge(`/badge/${ada.username}.svg`)
    for (const query of [
      'label=',
      'label=%3Cscript%3E',
      `label=${'a'.repeat(21)}`,
      'label=%zz',
      'show=Age',
      'show=',
    ]) {
      expect(await badge(`/badge/${ada.username}.svg?${query}`)).toBe(usual)
    }
    const twice = await badge(`/badge/${ada.username}.svg?label=one&label=two`)
    expect(wordsDrawn(twice)[0]).toBeOneOf(['deployed', 'one', 'two'])
  })

  test('takes both parameters together, in either order', async () => {
    const dot = await badge(`/badge/${ada.username}.svg?style=dot`)
    expect(await badge(`/badge/${ada.username}.svg?style=dot&url=example.com`)).toBe(dot)
    expect(await badge(`/badge/${ada.username}.svg?url=example.com&style=dot`)).toBe(dot)
    const inactive = await badge(`/badge/${ada.username}.svg?url=nowhere.example&style=dot`)
    expect(nameOf(inactive)).toBe('deployed: Inactive')
    expect(inactive).toContain('<circle')
  })

  test('sets no cookie, reads none, and is not conditional', async () => {
    const response = await service.fetch(`/badge/${ada.username}.svg`, {
      headers: { Cookie: ada.cookie, 'If-None-Match': '*', 'If-Modified-Since': new Date().toUTCString() },
    })
    expect(response.status).toBe(200)
    expect(response.headers.getSetCookie()).toEqual([])
    expect(kindHeaders('badge', response)).toEqual(answerKinds.badge)
  })
})

describe('GET /badge/<username>.json', () => {
  test('gives the same in the endpoint schema of shields, with the headers of a badge', async () => {
    const response = await service.fetch(`/badge/${ada.username}.json`)
    expect(response.status).toBe(200)
    expect(kindHeaders('badge JSON', response)).toEqual(answerKinds['badge JSON'])
    expect(await response.json()).toEqual({
      schemaVersion: 1,
      label: 'deployed',
      message: 'Fresh',
      color: expect.stringMatching(/^#[0-9a-f]{6}$/),
      isError: false,
    })
  })

  test('follows the filter, and is Inactive where nothing matches it', async () => {
    const newcomer = await signUp(service)
    const message = async (path: string) =>
      ((await (await service.fetch(path)).json()) as { message: string }).message
    expect(await message(`/badge/${ada.username}.json?url=example.com/a`)).toBe('Fresh')
    expect(await message(`/badge/${ada.username}.json?url=example.com/b`)).toBe('Inactive')
    expect(await message(`/badge/${newcomer.username}.json`)).toBe('Inactive')
  })

  test.each(['/badge/nobody-of-this-name.json', '/badge/a--b.json'])('%s is a 404 in JSON', async (path) => {
    const response = await service.fetch(path)
    expect(response.status).toBe(404)
    expect(kindHeaders('badge JSON', response)).toEqual(answerKinds['badge JSON'])
    expect(await response.json()).toEqual({ error: 'not_found', message: expect.any(String) })
  })
})
