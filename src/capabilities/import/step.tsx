import { Html } from '@elysiajs/html'
import type { PageSlots } from '../../views/page/slots.ts'
import { Snippet } from '../../views/parts/snippet.tsx'
import { Step } from '../../views/settings/checklist.tsx'

/** Fetches and runs the script that imports the past of a repository. */
export function curlHistoryScript(baseUrl: string): string {
  return `curl -fsSL ${baseUrl}/ci/history.sh | sh`
}

/** Below the steps, because it is not one of them: it may be left out, and done at any time. */
function AddHistory({ baseUrl, isDone }: { baseUrl: string; isDone: boolean }): JSX.Element {
  return (
    <Step
      n="+"
      title={isDone ? 'Your history' : 'If you like, add your history'}
      state={isDone ? 'done' : 'open'}
    >
      {!isDone && (
        <div id="add-history" class="stack" hx-morph-skip>
          <p class="hint">
            Run this line in a checkout of your project to add the project’s tags. If{' '}
            <code>SHIPFEED_FORGE_TOKEN</code> holds a token of your forge, its releases and deployments are
            added too.
          </p>
          <Snippet id="history-line" code={curlHistoryScript(baseUrl)} isOneLine />
        </div>
      )}
    </Step>
  )
}

export const historyStep: PageSlots = {
  belowChecklist: (baseUrl, imported) => <AddHistory baseUrl={baseUrl} isDone={imported > 0} />,
}
