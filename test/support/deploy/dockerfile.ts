import { readFileSync } from 'node:fs'
import { cp, mkdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { $ } from 'bun'
import { DockerfileParser, type Instruction } from 'dockerfile-ast'

const root = join(import.meta.dir, '../../..')
export const dockerfile = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8')

/** The instructions of each stage, in order, without its FROM. */
const stages = DockerfileParser.parse(dockerfile)
  .getInstructions()
  .reduce<Instruction[][]>((found, instruction) => {
    if (instruction.getKeyword() === 'FROM') found.push([])
    else found.at(-1)?.push(instruction)
    return found
  }, [])

/** What the first stage copies from the repository. */
export const copiedIn = (stages[0] ?? [])
  .filter((instruction) => instruction.getKeyword() === 'COPY')
  .flatMap((instruction) => wordsOf(instruction).slice(0, -1))

/** npm takes what it has downloaded before, and does not ask whether there is anything newer. */
const environment = { ...process.env, npm_config_prefer_offline: 'true' }

/** Does the steps of the first stage, in order, with a folder in the place of its root. */
export async function build(folder: string): Promise<void> {
  let workdir = folder
  for (const instruction of stages[0] ?? []) {
    const words = wordsOf(instruction)
    switch (instruction.getKeyword()) {
      case 'WORKDIR':
        workdir = join(folder, words[0] ?? '')
        await mkdir(workdir, { recursive: true })
        break
      case 'COPY':
        await copy(words.slice(0, -1), resolve(workdir, words.at(-1) ?? ''), words.at(-1) ?? '')
        break
      case 'RUN':
        await $`sh -c ${instruction.getArgumentsContent() ?? ''}`.cwd(workdir).env(environment).quiet()
        break
      default:
        throw new Error(`This test does not know ${instruction.getKeyword()}`)
    }
  }
}

/** What the last stage says of how the image is run; where a thing is said twice, the last counts. */
export function image() {
  const last = stages.at(-1) ?? []
  const of = (keyword: string) => last.filter((instruction) => instruction.getKeyword() === keyword)
  const only = (keyword: string) => of(keyword).at(-1)?.getArgumentsContent() ?? ''
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

function wordsOf(instruction: Instruction): string[] {
  return instruction.getArguments().map((word) => word.getValue())
}

async function copy(from: readonly string[], to: string, typed: string): Promise<void> {
  for (const name of from) {
    const target = typed.endsWith('/') ? join(to, basename(name)) : to
    await cp(join(root, name), target, { recursive: true })
  }
}
