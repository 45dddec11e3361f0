/** A test that was skipped, with its name and those of its groups. */
const skipped = /<testcase name="([^"]*)" classname="([^"]*)"[^>]*>\s*<skipped \/>/g

/** In one line, how many tests of a report (JUnit, as Bun writes it) lacked what they need; null if none did. */
export function leftOut(report: string): string | null {
  const counts = new Map<string, number>()
  for (const [, name = '', groups = ''] of report.matchAll(skipped)) {
    // What a group does before and after its tests is in the report as well.
    if (name === '(unnamed)') continue
    const needs = [...`${groups} ${name}`.matchAll(/\(needs ([^)]+)\)/g)].flatMap(([, all = '']) =>
      all.split(', '),
    )
    for (const need of new Set(needs)) counts.set(need, (counts.get(need) ?? 0) + 1)
  }
  if (counts.size === 0) return null
  const most = [...counts].toSorted(([, a], [, b]) => b - a)
  return `Left out: ${most.map(([need, n]) => `${n} ${n === 1 ? 'test needs' : 'tests need'} ${need}`).join(', ')}`
}
