import { type Command, program } from './command.ts'

/** Many of the licences ask for it. */
export const licensesCommand: Command = {
  name: 'licenses',
  summary: 'print the licences of all that the binary contains',
  usage: `${program} licenses`,
  async alone() {
    const { default: text } = await import('../../deploy/LICENSES.txt', { with: { type: 'text' } })
    console.log(text.trimEnd())
  },
}
