import { Html } from '@elysiajs/html'
import { Panel } from '../parts/panel.tsx'

const hint = 'Profile, deployments, sessions and what is known of your token, as one file of JSON.'

export function ExportPanel(): JSX.Element {
  return (
    <Panel id="export" title="Your data" hint={hint}>
      <p>
        <a class="button" href="/settings/export" download="">
          Export everything
        </a>
      </p>
    </Panel>
  )
}
