import type { User } from '../../domain/account/user.ts'
import type { Deployment } from '../../domain/deployment.ts'
import type { AddressQuery, PartOfFeed } from './address.ts'

/** A page to which the head of every page links. */
export type SiteTab = { readonly name: string; readonly address: string }

/** What a capability adds to the pages of the core. */
export type PageSlots = {
  readonly tabs?: readonly SiteTab[]
  /** Snippets for tools that announce in their own way, by name, among those for pipelines. */
  readonly pipelines?: Readonly<Record<string, (baseUrl: string) => string>>
  /** Among the tags from which chats and timelines make the preview of a page: the picture of this public address. */
  readonly inPreview?: (page: { readonly title: string; readonly address: string }) => JSX.Element
  /** In the head of a page with a part of the feed. */
  readonly inHead?: (part: PartOfFeed) => JSX.Element
  /** Links to a part of the feed in another form. */
  readonly otherForms?: (part: PartOfFeed) => JSX.Element
  /** Below the steps to the first deployment, with how many deployments are from history. */
  readonly belowChecklist?: (baseUrl: string, imported: number) => JSX.Element
  /** After the summary of a search: a link to follow it. */
  readonly afterSearch?: (part: PartOfFeed) => JSX.Element
  /** Below the projects of a user, who deploys to these environments. */
  readonly underProjects?: (username: string, environments: readonly string[]) => JSX.Element
  /** Links to what is live in environments in another form, with the parameters that say whose. */
  readonly besideEnvironments?: (whose: AddressQuery) => JSX.Element
  /** Links to a project in another form, in the head of its page, which lists these deployments. */
  readonly besideProject?: (
    username: string,
    target: string,
    deployments: readonly Deployment[],
  ) => JSX.Element
  /** Among the ways on from a deployment. */
  readonly besideDeployment?: (deployment: Deployment, target: string | null) => JSX.Element
  /** At the foot of the page of a deployment. */
  readonly underDeployment?: (deployment: Deployment, viewer: User | null) => JSX.Element
}

/** What all capabilities together add: at each place one after the other, or nothing. */
export function joinSlots(all: readonly PageSlots[]): Required<PageSlots> {
  return {
    tabs: all.flatMap(({ tabs = [] }) => tabs),
    pipelines: Object.assign({}, ...all.map(({ pipelines }) => pipelines)),
    inHead: (part) => joined(all.map(({ inHead }) => inHead?.(part))),
    inPreview: (page) => joined(all.map(({ inPreview }) => inPreview?.(page))),
    otherForms: (part) => joined(all.map(({ otherForms }) => otherForms?.(part))),
    belowChecklist: (...of) => joined(all.map(({ belowChecklist }) => belowChecklist?.(...of))),
    afterSearch: (part) => joined(all.map(({ afterSearch }) => afterSearch?.(part))),
    underProjects: (...of) => joined(all.map(({ underProjects }) => underProjects?.(...of))),
    besideEnvironments: (whose) => joined(all.map(({ besideEnvironments }) => besideEnvironments?.(whose))),
    besideProject: (...of) => joined(all.map(({ besideProject }) => besideProject?.(...of))),
    besideDeployment: (...of) => joined(all.map(({ besideDeployment }) => besideDeployment?.(...of))),
    underDeployment: (...of) => joined(all.map(({ underDeployment }) => underDeployment?.(...of))),
  }
}

function joined(parts: readonly (JSX.Element | undefined)[]): JSX.Element {
  return parts.join('')
}
