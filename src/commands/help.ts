import { type Command, program } from './command.ts'

/** The text of `help`. */
export function helpOf(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return `Usage: ${program} <command>

${lines.join('\n')}

\`${program} <command> --help\` explains one command. Settings are environment variables, which docs/operations.md lists.`
}
