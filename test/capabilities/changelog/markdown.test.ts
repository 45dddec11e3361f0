import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { changelogMarkdown } from '../../../src/capabilities/changelog/markdown.ts'
import { changelogOf } from '../../../src/capabilities/changelog/rules.ts'

const user = { id: 1, username: 'ada', name: 'Ada' }
const site = { baseUrl: 'https://ship.example' } as Parameters<typeof changelogMarkdown>[0]

/** What begins or ends something in Markdown, and what must never become markup in it. */
const pieces = [
  ...['`', '``', '```', '~~~', '\n```\n', '\n  ```', '\n    ```', '``` a`', '\n', '\n\n', ' ', '  ', '\t'],
  ...[
    '- ',
    '1. ',
    '> ',
    '# ',
    '===',
    '---',
    '|',
    '*',
    '\\',
    'x',
    '[a]',
    '[',
    ']',
    '(',
    '![',
    '&lt;',
    '\u2028',
  ],
  ...['<img src=x onerror=y>', '<script>', '<!--', '<?', '<![CDATA[', '<javascript:b>'],
  ...['(javascript:b)', '](javascript:b)', '[a](<javascript:b>)', ']: javascript:b', '[v1]: javascript:b'],
]
const texts = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 16 })
  .map((some) => some.join(''))

test('whatever a message says, no HTML, script or picture of it is in the Markdown', () => {
  fc.assert(
    fc.property(fc.constantFrom('v1', 'feat: it'), texts, (title, body) => {
      const message = `${title}\n\n${body}`
      const common = { url: null, category: null, poster: user, version: 'v1' }
      const entries = changelogOf([{ id: 1, message, deployedAt: new Date(0), ...common }])
      const [target, before, older] = ['github.com/ada/engine', null, null]
      const written = changelogMarkdown(site, { user, target, environments: [], entries, before, older })
      expect(Bun.markdown.html(written)).not.toMatch(/<(?:img|script|[!?])|href="javascript/i)
    }),
    { numRuns: 5_000 },
  )
})
