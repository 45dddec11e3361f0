/** What is wrong, by field: the `details` of a validation error. */
export type Reasons = Readonly<Record<string, readonly string[]>>
