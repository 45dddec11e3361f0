import { readFileSync } from 'node:fs'
import { cp, mkdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { $ } from 'bun'

const root = join(import.meta.dir, '../..')

/** An instruction without its flags. */
type Instruction = { readonly keyword: string; readonly text: string }

/** The instructions of each stage, in order, without its FROM. */
const stages = instructions().reduce<Instruction[][]>((found, instruction) => {
  if (instruction.keyword === 'FROM') found.push([])
  else found.at(-1)?.push(instruction)
  return found
}, [])

function instructions(): Instruction[] {
  const lines = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8')
    .replace(/^(#.*)?\n/gm, '')
    .replace(/\\\n */g, '')
    .trim()
    .split('\n')
  return lines.map((line) => {
    const [, keyword, text] = /^([A-Z]+) (?:--\S+ )*(.+)$/.exec(line) ?? []
    if (keyword === undefined || text === undefined) throw new Error(`Not an instruction: ${line}`)
    return { keyword, text }
  })
}

/** What the first stage copies from the repository. */
export const copiedIn = (stages[0] ?? [])
  .filter((instruction) => instruction.keyword === 'COPY')
  .flatMap((instruction) => wordsOf(instruction).slice(0, -1))

/** npm takes what it has downloaded before, and does not ask whether there is anything newer. */
const environment = { ...process.env, npm_config_prefer_offline: 'true' }

/** Does the steps of the first stage, in order, with a folder in the place of its root. */
export async function build(folder: string): Promise<void> {
  let workdir = folder
  for (const instruction of stages[0] ?? []) {
    const words = wordsOf(instruction)
    switch (instruction.keyword) {
      case 'WORKDIR':
        workdir = join(folder, words[0] ?? '')
        await mkdir(workdir, { recursive: true })
        break
      case 'COPY':
        await copy(words.slice(0, -1), resolve(workdir, words.at(-1) ?? ''), words.at(-1) ?? '')
        break
      case 'RUN':
        await $`sh -c ${instruction.text}`.cwd(workdir).env(environment).quiet()
        break
      default:
        throw new Error(`This test does not know ${instruction.keyword}`)
    }
  }
}

const inImage = ['COPY', 'ENV', 'USER', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'ENTRYPOINT']

/** What the last stage says of how the image is run; where a thing is said twice, the last counts. */
export function image() {
  const last = stages.at(-1) ?? []
  const unknown = last.find(({ keyword }) => !inImage.includes(keyword))
  if (unknown) throw new Error(`This test does not know ${unknown.keyword}`)
  const of = (keyword: string) => last.filter((instruction) => instruction.keyword === keyword)
  const only = (keyword: string) => of(keyword).at(-1)?.text ?? ''
  return {
    /** From the path in the build stage to the path in the image. */
    copied: of('COPY').map((instruction) => wordsOf(instruction)),
    env: Object.fromEntries(
      of('ENV')
        .flatMap(wordsOf)
        .map((word) => word.split('=', 2)),
    ) as Record<string, string>,
    user: only('USER'),
    volume: only('VOLUME'),
    port: only('EXPOSE'),
    entrypoint: JSON.parse(only('ENTRYPOINT')) as string[],
    healthcheck: JSON.parse(only('HEALTHCHECK').replace(/^CMD /, '')) as string[],
  }
}

function wordsOf({ text }: Instruction): string[] {
  return text.split(/ +/)
}

async function copy(from: readonly string[], to: string, typed: string): Promise<void> {
  for (const name of from) {
    const target = typed.endsWith('/') ? join(to, basename(name)) : to
    await cp(join(root, name), target, { recursive: true })
  }
}
