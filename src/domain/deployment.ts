import type { User } from './account/user.ts'
import type { Category } from './category.ts'
import type { Release } from './release.ts'

/** One announcement as it is stored and shown. */
export type Deployment = {
  readonly id: number
  readonly message: string
  readonly url: string | null
  readonly category: Category | null
  readonly deployedAt: Date
  readonly poster: User
} & Release

/** What is told of the deployment before or after another one. */
export type Neighbour = { readonly id: number; readonly message: string; readonly deployedAt: Date }
