/** Does one work after the other. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

export function inTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return function inTurn(work) {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }
}
