import { expect, test } from 'bun:test'
import { elementsOf, textOf } from '../support/markup.ts'
import { everyPage } from './every-page.tsx'

const known = new Set(
  `html head meta title link script body header main footer aside noscript nav a small svg g path rect text use form button section article h1 h2 h3 p
  ol ul li div span bdi wbr time strong code pre figure figcaption picture source img dl dt dd kbd mark table thead tbody tr th td label
  input details summary template fieldset legend select option datalist`.split(/\s+/),
)

const pages = everyPage.map(([name, page]) => ({ name, page, elements: elementsOf(page) }))
type Page = (typeof pages)[number]

/** What is wrong with the pages, each fault with the name of its page. */
function faults(of: (page: Page) => readonly unknown[]): unknown[] {
  return pages.flatMap((page) => of(page).map((fault) => [page.name, fault]))
}

function named({ elements }: Page, ...names: string[]) {
  return elements.filter(({ name }) => names.includes(name)).map(({ attributes }) => attributes)
}

function valuesOf({ elements }: Page, ...attributes: string[]): string[] {
  return elements.flatMap((element) => attributes.flatMap((name) => element.attributes[name] ?? []))
}

test('no page has elements from outside its views', () => {
  const unknown = ({ elements }: Page) => elements.map(({ name }) => name).filter((name) => !known.has(name))
  expect(faults(unknown)).toEqual([])
})

test('no page needs inline styles or scripts, event handlers or javascript: addresses', () => {
  const inline = ({ elements }: Page) =>
    elements
      .flatMap(({ attributes }) => Object.keys(attributes))
      .filter((name) => name === 'style' || /^(on|hx-on)/.test(name))
  expect(faults(inline)).toEqual([])
  const run = (page: Page) =>
    valuesOf(page, 'href', 'action').filter((address) => /^\s*(javascript|data|vbscript):/i.test(address))
  expect(faults(run)).toEqual([])
  for (const page of pages) {
    if (page.name.startsWith('a wallboard')) {
      expect(named(page, 'script')).toEqual([{ src: '/assets/1/wall.js', type: 'module' }])
      continue
    }
    expect(named(page, 'script')).toEqual([
      { src: '/assets/1/app.js', type: 'module' },
      { src: '/assets/1/htmx.js', defer: '' },
    ])
  }
})

test('no page shows undefined, NaN or other values of JavaScript', () => {
  const leaked = ({ page }: Page) =>
    textOf(page, 'body').match(/undefined|null,|NaN|\[object|Invalid Date/) ?? []
  expect(faults(leaked)).toEqual([])
})

test('every page has one main heading and one main part', () => {
  const missing = (page: Page) => ['h1', 'main'].filter((name) => named(page, name).length !== 1)
  expect(faults(missing)).toEqual([])
})

test('every page uses each id once, and refers only to existing ids', () => {
  const twice = (page: Page) => valuesOf(page, 'id').filter((id, index, ids) => ids.indexOf(id) !== index)
  expect(faults(twice)).toEqual([])
  const dangling = (page: Page) =>
    valuesOf(page, 'for', 'aria-describedby', 'aria-labelledby')
      .flatMap((ids) => ids.split(' '))
      .filter((id) => !valuesOf(page, 'id').includes(id))
  expect(faults(dangling)).toEqual([])
})

test('every page labels each visible field and each picture', () => {
  for (const page of pages) {
    const fields = named(page, 'input', 'select').filter(
      ({ type, hidden, ...named }) =>
        type !== 'hidden' && hidden === undefined && named['aria-label'] === undefined,
    )
    const labels = named(page, 'label').map((attributes) => attributes.for)
    expect([page.name, fields.map(({ id }) => id)]).toEqual([page.name, labels])
  }
  expect(faults((page) => named(page, 'img').filter(({ alt }) => !alt))).toEqual([])
})

test('no page gives the focus to two fields', () => {
  expect(faults((page) => valuesOf(page, 'autofocus').slice(1))).toEqual([])
})
