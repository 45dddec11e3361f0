import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import { Identicon } from '../parts/identicon.tsx'

export type Section = 'feed' | 'docs' | 'settings'

type Props = { viewer: User | null; current: Section | undefined; registrationOpen: boolean }

export function Header({ viewer, current, registrationOpen }: Props): JSX.Element {
  return (
    <header class="site">
      <div class="bar">
        <a class="logo" href="/">
          <Chevrons />
          <span>Shipfeed</span>
        </a>
        <nav class="tabs" aria-label="Main">
          <Tab href="/" name="Feed" active={current === 'feed'} />
          <Tab href="/docs" name="Docs" active={current === 'docs'} />
        </nav>
        <div class="account">
          {viewer === null ? (
            <SignedOut registrationOpen={registrationOpen} />
          ) : (
            <SignedIn viewer={viewer} current={current} />
          )}
        </div>
      </div>
    </header>
  )
}

export function Chevrons(): JSX.Element {
  return (
    <svg class="chevrons" viewBox="0 0 20 20" aria-hidden="true">
      <path d="m2 11 8-8 8 8M2 18l8-8 8 8" />
    </svg>
  )
}

function Tab({ href, name, active }: { href: string; name: string; active: boolean }): JSX.Element {
  return (
    <a class="tab" href={href} aria-current={active ? 'page' : undefined} safe>
      {name}
    </a>
  )
}

function SignedOut({ registrationOpen }: { registrationOpen: boolean }): JSX.Element {
  return (
    <>
      <a class="sign-in" href="/sign-in">
        Sign in
      </a>
      {registrationOpen && (
        <a class="button primary" href="/sign-up">
          Create account
        </a>
      )}
    </>
  )
}

function SignedIn({ viewer, current }: { viewer: User; current: Section | undefined }): JSX.Element {
  return (
    <>
      <a href={`/${viewer.username}`} aria-label="Your profile">
        <Identicon username={viewer.username} />
      </a>
      <Tab href="/settings" name="Settings" active={current === 'settings'} />
      <form method="post" action="/sign-out">
        <button class="plain" type="submit">
          Sign out
        </button>
      </form>
    </>
  )
}
