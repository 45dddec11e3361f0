import { textOf } from '../../support/markup.ts'

/** The rows of a user's table with their cells, without the name of the column that phones repeat in each. */
export const rowsOn = (page: string) =>
  page
    .replace(/<\/tbody>.*/s, '')
    .split('<tr id="live-of-')
    .slice(1)
    .map((row) =>
      row
        .split(/(?=<td)/)
        .map((cell) => textOf(cell.replace(/<span class="on-phones".*?<\/span><\/span>/s, ''), '*').trim()),
    )

export const columnsOn = (page: string) => textOf(page, '.live-where thead').replace('Project', '')
