/** The series of a text of metrics, by name and labels as they are written, without those of buckets. */
export function seriesOf(text: string): ReadonlyMap<string, number> {
  const lines = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#') && !line.includes('le="'))
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ')
      return [line.slice(0, at), Number(line.slice(at + 1))]
    }),
  )
}
