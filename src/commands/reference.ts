import alerts from '../../deploy/alerts.yaml' with { type: 'text' }
import type { Capability } from '../capability.ts'
import { events } from '../log/events.ts'
import { variables, variablesOfBun } from '../settings.ts'
import type { Variable } from '../settings-reader.ts'
import { program } from './command.ts'

const settingsText = (capabilities: readonly Capability[]) => `## Settings

Environment variables. A wrong value stops the start with one line that names it; an empty one counts as unset. A number
has to be whole, except for \`ACCESS_LOG\`; times have a unit, as in 30m, 24h or 7d.

Addresses of databases hold passwords, so each may be in a file instead, such as a mounted secret, that the setting with
\`_FILE\` names. The end of its last line is cut off. An empty file, an unreadable one, and both settings together are
refused. Commands take the settings of the service.

${table(
  ['variable', 'if unset', 'values', ''],
  [{ variables }, ...capabilities]
    .flatMap((part) => Object.entries<Variable>(part.variables ?? {}))
    .map(settingRow),
)}

Bun reads these by itself:

${table(
  ['variable', ''],
  Object.entries(variablesOfBun).map(([name, says]) => [code(name), says]),
)}
`

function settingRow([name, setting]: [string, Variable]): string[] {
  const { words, default: byDefault = words?.[0], from, to, says } = setting
  const values = words?.map(code).join(', ') ?? (from === undefined ? '' : `${code(from)} – ${code(to)}`)
  return [code(name), code(byDefault), values, says]
}

const logText = () => `## Log lines

The log goes to standard error, one line of JSON for each event; at a terminal, its lines are formatted for people. A
start also prints three lines on standard output for people to read; do not collect these as JSON.

Every line has \`at\` (UTC), \`level\` and \`event\`. \`LOG_LEVEL\` is the lowest level that is written: with \`warn\`,
sign-ins are not logged. \`error\` is a fault of ours or a loss that threatens, \`warn\` needs an operator's look, \`info\`
is an event, \`debug\` a refused request. Lines that belong to a request have \`request\` (the \`X-Request-Id\` of a proxy in
\`TRUSTED_PROXIES\`, else an id of our own), \`method\`, \`route\` (the pattern, \`/:username\`), \`path\`, \`status\` and
\`durationMs\`. No line holds a secret, a body or the parameters of a query.

Events that any client can cause without bound have one line a minute, in which \`alikeSinceTheLast\` counts the others,
and a client that goes away has none. No request waits for the reader of the log: beyond a megabyte unread, lines are
dropped and counted. [What to do](when-it-breaks.md) about each error stands in the page for the night.

${table(
  ['event', 'level', 'what it says'],
  Object.entries(events).map(([event, [level, says]]) => [code(event), level, says]),
)}
`

const metricsText = (capabilities: readonly Capability[]) => `## Metrics

With \`METRICS_PORT\`, in the text format of Prometheus ([how to read them](operations.md#metrics)). Labels are patterns of
routes, statuses and words of ours, never a user's text; unknown methods share one label.

${table(
  ['metric', 'type', 'what it says'],
  capabilities
    .flatMap(({ metrics = {} }) => Object.entries(metrics))
    .map(([name, { type, labels, help }]) => [
      code(labels === undefined ? name : `${name}{${labels.join(',')}}`),
      type,
      help,
    ]),
)}
`

type Rule = {
  readonly alert: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly description: string }
}

const alertsText = () => `## Alerts

Of [deploy/alerts.yaml](../deploy/alerts.yaml), for Prometheus' \`rule_files\`. A \`page\` wakes somebody, a \`ticket\` can
wait until the morning.

${table(
  ['alert', 'severity', 'it fires because', 'what to do'],
  rules().map(({ alert, labels: { severity }, annotations: { summary, description } }) => [
    code(alert),
    severity,
    summary.replace('{{ $labels.instance }}', 'a process').replaceAll(/\{\{[^{}]*\}\}/g, '…'),
    description,
  ]),
)}
`

function rules(): readonly Rule[] {
  const file = Bun.YAML.parse(alerts) as { readonly groups: readonly { readonly rules: readonly Rule[] }[] }
  return file.groups.flatMap(({ rules }) => rules)
}

/** The parts of docs/reference.md, which `help <name>` prints. */
const parts = { settings: settingsText, log: logText, metrics: metricsText, alerts: alertsText }

/** The text of `help` with this word: a part of docs/reference.md, or all of it. Null for any other word. */
export function partOfReference(capabilities: readonly Capability[], word = ''): string | null {
  if (word === 'reference')
    return `${head}\n${Object.values(parts)
      .map((text) => text(capabilities))
      .join('\n')}`.trimEnd()
  return word in parts ? parts[word as keyof typeof parts](capabilities).trimEnd() : null
}

const head = `# Reference

To look things up, not to read. \`${program} help reference\` prints this page from the program, and a test compares the
two. [operations.md](operations.md) says how to do things.
`

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

const code = (text: string | number | undefined) => (text === undefined ? '' : `\`${text}\``)
