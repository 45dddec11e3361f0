/** A measured pair. `aim` is what docs/figures.md asks of it, null where it asks nothing. */
export type Row = {
  readonly what: string
  readonly ours: string
  readonly peer: string
  readonly ratio: string
  readonly aim: string | null
}

/** The rows as a table in Markdown. */
export function table(rows: readonly Row[]): string {
  return [
    '| what | ours | beside | ratio | aim |',
    '|---|---|---|---|---|',
    ...rows.map(
      ({ what, ours, peer, ratio, aim }) => `| ${what} | ${ours} | ${peer} | ${ratio} | ${aim ?? ''} |`,
    ),
  ].join('\n')
}

/** 84,210/s */
export function perSecond(rate: number): string {
  return `${Math.round(rate).toLocaleString('en')}/s`
}

/** 1.2 ms */
export function inMs(ms: number): string {
  return `${ms.toFixed(ms < 10 ? 2 : 0)} ms`
}

/** 68 MB */
export function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MB`
}

/** 0.67 */
export function ratioOf(ours: number, peer: number): string {
  return (ours / peer).toFixed(2)
}
