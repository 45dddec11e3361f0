import { Html } from '@elysiajs/html'
import { type Category, categories } from '../../domain/category.ts'
import { CategoryLabel } from '../deployment/parts.tsx'

/** First lines and the category read from them; a test reads each. */
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

export function DocsCategories(): JSX.Element {
  return (
    <section class="stack" id="categories">
      <h2>Categories</h2>
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
      <p>
        Without the field, the first line of the message decides: a Conventional Commits type, also after an
        emoji; else a leading gitmoji, as a character or as <code>:shortcode:</code>; else the leading verb.
        When nothing tells, the category is <code>null</code> and the feed shows no label.
      </p>
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
    </section>
  )
}
