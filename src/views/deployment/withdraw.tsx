import { Html } from '@elysiajs/html'
import { Panel } from '../parts/panel.tsx'

/** For its poster: the form that withdraws a deployment, behind a question. */
export function Withdraw({ action }: { action: string }): JSX.Element {
  return (
    <Panel id="withdraw" title="Withdraw this deployment" danger>
      <p class="hint">
        It disappears from the feed and from your profile, your badge goes back to the deployment before it,
        and this page is gone. This cannot be undone.
      </p>
      <details class="confirmation">
        <summary class="button danger">Withdraw…</summary>
        <form method="post" action={action}>
          <button class="danger" type="submit">
            Withdraw it for good
          </button>
        </form>
      </details>
    </Panel>
  )
}
