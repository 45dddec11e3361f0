import { describe, expect, test } from 'bun:test'
import { textIn } from '../../fixtures/files.ts'
import { type Poster, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'
import { columnsOn, rowsOn } from './live-table.ts'

const service = await useService()

/** A project of boards.txt: as a person calls it, as its links do, what is announced of it, and its cells as drawn. */
type Drawn = {
  readonly project: string
  readonly row: string
  readonly announced: readonly {
    readonly environment: string
    readonly version: string
    readonly url: string
  }[]
  readonly cells: readonly string[]
}

function projectIn(text: string): Drawn {
  const [head = '', ...lines] = text.trim().split(/\n */)
  const [, project = '', row = ''] = /^(\S+) = (\S+)\t/.exec(head) ?? []
  const announced = lines.slice(0, -1).map((line) => {
    const [environment = '', version = '', url = ''] = line.split(' ')
    return { environment, version, url }
  })
  return { project, row, announced, cells: lines.at(-1)?.replace('> ', '').split(' | ') ?? [] }
}

const teams = (await textIn('boards.txt'))
  .split('\n\n')
  .slice(1)
  .map((text) => {
    const [head = '', ...projects] = text.split(/\n {2}(?! )/)
    const [team = '', columns = ''] = head.split(': ')
    return { team, columns: columns.split(', '), projects: projects.map(projectIn) }
  })

async function tableOf({ username }: Poster) {
  const page = await (await service.fetch(`/${username}/-/environments`)).text()
  const rows = rowsOn(page).map((row) => row.map((cell) => cell.replace(/^.*">/, '')))
  return {
    columns: columnsOn(page),
    rows: rows.map((row) => row.map((cell) => cell.replace(/just now$/, '').replace('just now', ', '))),
  }
}

describe('What real pipelines announce is drawn as a person would:', () => {
  test.each(teams)('$team, by links', async ({ columns, projects }) => {
    const ada = await signUpPoster(service)
    for (const { announced } of projects) {
      for (const one of announced) await ada.announced({ message: one.version, ...one })
    }
    const rows = projects.map(({ row, cells }) => [row, ...cells]).toReversed()
    expect(await tableOf(ada)).toEqual({ columns: columns.join(''), rows })
  })

  test.each(teams)('$team, by the names of projects', async ({ columns, projects }) => {
    const ada = await signUpPoster(service)
    for (const { project, announced } of projects) {
      for (const { environment, version } of announced) {
        await ada.announced({ message: version, project, environment, version })
      }
    }
    const rows = projects.map(({ project, cells }) => [project, ...cells]).toReversed()
    expect(await tableOf(ada)).toEqual({ columns: columns.join(''), rows })
  })
})
