/** Does one work after the other. */
export type OneAtATime = <T>(work: () => Promise<T>) => Promise<T>

export function oneAtATime(): OneAtATime {
  let last: Promise<unknown> = Promise.resolve()
  return function alone(work) {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }
}
