/** Who posts: `id` and `name` are what the API's record shows (specification, "user"). */
export type User = {
  readonly id: number
  readonly username: string
  readonly name: string
}
