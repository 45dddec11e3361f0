import { type Command, program } from './command.ts'

/** What `help` prints. */
export function helpOf(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return `Usage: ${program} <command>

${lines.join('\n')}

\`${program} <command> --help\` says more about one. Settings are environment variables: the README lists them.`
}
