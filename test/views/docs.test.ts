import { describe, expect, test } from 'bun:test'
import { categoryOf } from '../../src/domain/category.ts'
import { readings } from '../../src/views/docs/categories.tsx'
import { sectionsWith } from '../../src/views/docs/docs-text.ts'
import { fill, sectionsOf } from '../../src/views/docs/markdown.ts'

test.each(readings)('the docs read "%s" as the service does', (firstLine, category) => {
  expect(categoryOf(firstLine)).toBe(category)
})

describe('the Markdown of the docs', () => {
  const filled = (markdown: string, texts = {}, parts = {}) =>
    sectionsOf(`## One {#one}\n\n${markdown}`).map((section) => String(fill(section, { texts, parts })))

  test('has sections with ids, and ids of other headings', () => {
    const sections = sectionsOf('## One {#one}\n\na\n\n### Sub {#sub}\n\n## Two & more {#two}\n\nb')
    expect(sections.map(({ id, heading }) => [id, heading])).toEqual([
      ['one', 'One'],
      ['two', 'Two & more'],
    ])
    expect(sections[0]?.pieces).toEqual(['<p>a</p><h3 id="sub">Sub</h3>'])
    expect(() => sectionsOf('## One\n\na')).toThrow('no id')
  })

  test('takes texts, which are escaped, and parts, which are not', () => {
    expect(filled('Of `{{a}}` & <b>\n\n{{b}}', { a: '<i>"' }, { b: '<hr/>' })).toEqual([
      '<p>Of <code>&lt;i&gt;&quot;</code> &amp; &lt;b&gt;</p><hr/>',
    ])
  })

  test('has definitions, steps and lists', () => {
    expect(filled('- `a`, b :: c\n\n1. {{x}}\n2. [d](/e)\n\n- f', {}, { x: '' })).toEqual([
      '<dl class="facts"><dt><code>a</code>, b</dt><dd>c</dd></dl><ol class="steps"><li><a href="/e">d</a></li></ol><ul><li>f</li></ul>',
    ])
  })

  test('cannot name an unknown value', () => {
    expect(() => filled('{{unknown}}')).toThrow('unknown')
  })
})

describe('the texts of capabilities', () => {
  test('stand after a section of the core, or continue it', () => {
    const core = sectionsWith([])
    const place = core.findIndex(({ id }) => id === 'pinned')
    const added = sectionsWith([
      { after: 'pinned', markdown: '## One {#one}\n\na' },
      { after: 'pinned', markdown: 'More of it.' },
      { after: 'pinned', markdown: '## Two {#two}\n\nb' },
    ])
    expect(added.map(({ id }) => id)).toEqual(core.map(({ id }) => id).toSpliced(place + 1, 0, 'one', 'two'))
    const pieces = core[place]?.pieces ?? []
    expect(added[place]?.pieces).toEqual(pieces.with(-1, `${pieces.at(-1)}<p>More of it.</p>`))
  })

  test('need a section of the core', () => {
    expect(() => sectionsWith([{ after: 'nowhere', markdown: 'a' }])).toThrow('"nowhere"')
  })
})
