import { Html } from '@elysiajs/html'
import { type Category, categories } from '../../domain/category.ts'
import { CategoryLabel } from '../deployment/labels.tsx'

/** First lines of messages and the category that is read from each; a test checks them. */
export const readings: readonly (readonly [firstLine: string, category: Category | null])[] = [
  ['feat(search): saved searches', 'feature'],
  ['✨ Saved searches', 'feature'],
  ['fix: login redirect loop', 'bug_fix'],
  ['🐛 Login redirect loop', 'bug_fix'],
  ['Fix login redirect loop', 'bug_fix'],
  ['perf: map the index', 'performance_improvement'],
  ['Speed up cold starts', 'performance_improvement'],
  ['style: calmer buttons', 'styling_change'],
  [':lipstick: Calmer buttons', 'styling_change'],
  ['🚀 Version 2.3', null],
  ['chore: renew the certificates', null],
]

/** Each category as it is sent and as the feed shows it. */
export function CategoryNames(): JSX.Element {
  return (
    <dl class="facts">
      {(Object.keys(categories) as Category[]).map((category) => (
        <>
          <dt>
            <code>{category}</code>
          </dt>
          <dd>
            <CategoryLabel category={category} />
          </dd>
        </>
      ))}
    </dl>
  )
}

export function Readings(): JSX.Element {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">First line</th>
          <th scope="col">is read as</th>
        </tr>
      </thead>
      <tbody>
        {readings.map(([firstLine, category]) => (
          <tr>
            <td safe>{firstLine}</td>
            <td>{category === null ? 'none of them' : <CategoryLabel category={category} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
