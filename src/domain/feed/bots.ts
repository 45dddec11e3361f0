import { isBotName } from '../account/actor.ts'
import type { Deployment } from '../deployment.ts'
import { withoutMerge } from '../message/headline.ts'

/** What programs write below: their signature, or Dependabot's list for other programs. */
const botMark = /^(?:Signed-off-by: .*\[bot\]|updated-dependencies:)/m

/** Marks and a type at the start of a title, such as "⬆️ " and "chore(deps): ", with its scope. */
const prefix = /^(?:[^\p{L}[:]+|:[a-z\d_+-]+: *)*(?:[a-z]+(?:\(([^()]*)\))?!?: *)?/iu

/** The titles that programs give to their changes if nobody changes them (test/fixtures/messages/bot-titles.txt). */
const defaults: Readonly<Record<string, readonly RegExp[]>> = {
  Renovate: [
    /update all (?:non-major )?dependencies/,
    /update (?:dependency|module|plugin|pre-commit hook|rust crate|helm release|terraform) \S+ to /,
    /update \S+ (?:action|docker tag|(?:docker )?digest|monorepo|orb) to /,
    /update \S+ to v?\d[\w.+-]*(?: \[security\])?(?: \(|$)/,
    /update (?:\S+ ){1,2}(?:actions|packages|dependencies|monorepo) \((?:major|minor|patch)\)/,
    /update github (?:artifact )?actions to v\d/,
    /update dependency \S+ \[security\]/,
    /pin (?:dependencies$|dependency \S+ to )/,
    /replace dependency \S+ with /,
    /lock file maintenance(?: \(|$)/,
    /configure renovate(?: \(|$)/,
  ],
  Dependabot: [
    /^bump .+ from \S+ to \S+/,
    /bump the \S+ group (?:with|across) \d/,
    /bump \S+ in the \S+ group(?: across \d| \(|$)/,
    /update \S+ requirement from /,
  ],
  'pre-commit.ci': [/\[pre-commit\.ci\] /],
  Snyk: [/\[snyk\] /, /upgrade \S+ from \S+ to \S+(?: \(|$)/],
  Crowdin: [
    /new crowdin (?:updates|translations)/,
    /new translations \S+ \(/,
    /update source file \S+(?: \(|$)/,
  ],
  Weblate: [
    /translated using weblate/,
    /added translation using weblate/,
    /translations update from (?:\S+ )?weblate/,
  ],
  PyUp: [/scheduled \w+ dependency update for /],
  ImgBot: [/\[imgbot\] /],
}

const sources = Object.values(defaults).flatMap((titles) => titles.map(({ source }) => source))
const botTitle = new RegExp(`^(?:${sources.join('|')})`, 'i')

/** As much of a title as tells. */
const titleCharacters = 200

/** Whether a program made the change, so that lists fold it (docs/decisions.md#feed). */
export function isByBot({ poster, message }: Pick<Deployment, 'poster' | 'message'>): boolean {
  // Few messages have a mark, and this is faster than the expression.
  const mayHaveMark = message.includes('[bot]') || message.includes('updated-dependencies:')
  return isBotName(poster.name) || isBotTitle(message) || (mayHaveMark && botMark.test(message))
}

/** Whether a title is one that programs write. A person may have announced it. */
function isBotTitle(message: string): boolean {
  const title = withoutMerge(message).slice(0, titleCharacters)
  const [start = '', scope] = prefix.exec(title) ?? []
  const [rest = ''] = title.slice(start.length).split(/\r?\n/, 1)
  return /^deps(?:-dev)?$/i.test(scope ?? '') || botTitle.test(rest)
}
