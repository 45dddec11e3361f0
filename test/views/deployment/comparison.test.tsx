import { describe, expect, test } from 'bun:test'
import { Html } from '@elysiajs/html'
import type { Replaced } from '../../../src/domain/release/rollback.ts'
import { CompareLink, WhatChanged } from '../../../src/views/deployment/comparison.tsx'
import { ReleaseLabels } from '../../../src/views/deployment/labels.tsx'
import { elementsOf, textOf } from '../../support/markup.ts'
import { deployment } from '../samples.ts'

const engine = 'https://github.com/ada/engine'

const replacing = (step: Replaced['step'], facts = {}) =>
  deployment({
    ...{ environment: 'production', version: 'v2.3.0' },
    replaced: { id: 398, version: 'v2.4.0', step },
    ...facts,
  })

const addressIn = (markup: unknown) => elementsOf(markup).find(({ name }) => name === 'a')?.attributes

const lineOf = (markup: unknown) =>
  textOf(<div>{markup as 'safe'}</div>, 'div')
    .replace(/\s+/g, ' ')
    .trim()

const compared = ' Compare on github.com'

describe('what changed', () => {
  test.each([
    ['onward', `Replaced v2.4.0 in production.${compared}`, 'productionv2.3.0'],
    ['back', `Went back from v2.4.0 in production.${compared}`, 'productionback to v2.3.0'],
    ['same', `The same release as v2.4.0 in production.${compared}`, 'productionv2.3.0the same release'],
  ] as const)('is said of a step %s', (step, sentence, labels) => {
    expect(lineOf(<WhatChanged deployment={replacing(step)} />)).toBe(sentence)
    expect(lineOf(<ReleaseLabels deployment={replacing(step)} />)).toBe(labels)
  })

  test('names a commit without a version, and nothing without both', () => {
    const sentence = (replaced: Omit<Replaced, 'id' | 'step'>) =>
      lineOf(
        <WhatChanged
          deployment={replacing('onward', { replaced: { id: 1, step: 'onward', ...replaced } })}
        />,
      )
    expect(sentence({ commit: 'a89852ac0b1d' })).toBe('Replaced a89852a in production.')
    expect(sentence({})).toBe('Replaced the deployment before it in production.')
    const toCommit = replacing('back', { version: undefined, commit: 'a89852ac0b1d' })
    expect(lineOf(<ReleaseLabels deployment={toCommit} />)).toBe('productionback to a89852a')
  })

  test('is nothing for the first in its environment', () => {
    for (const part of [WhatChanged, CompareLink]) {
      expect(String(part({ deployment: deployment() }))).toBe('')
    }
    const first = deployment({ environment: 'production', version: 'v1' })
    expect(lineOf(<ReleaseLabels deployment={first} />)).toBe('productionv1')
  })

  test.each([
    ['onward', `${engine}/compare/v2.4.0...v2.3.0`],
    ['back', `${engine}/compare/v2.3.0...v2.4.0`],
    ['same', undefined],
  ] as const)('is linked for a step %s', (step, address) => {
    const of = replacing(step, step === 'same' ? { version: 'v2.4.0' } : {})
    expect(addressIn(<CompareLink deployment={of} />)?.href).toBe(address)
  })

  test('shows any version as text', () => {
    const replaced = { id: 1, version: '"><b>', step: 'back' } as const
    const hostile = replacing('back', { version: '<i>"&', replaced })
    expect(lineOf(<WhatChanged deployment={hostile} />)).toBe(
      `Went back from "><b> in production.${compared}`,
    )
    expect(lineOf(<ReleaseLabels deployment={hostile} />)).toBe('productionback to <i>"&')
    expect(addressIn(<CompareLink deployment={hostile} />)).toMatchObject({
      href: `${engine}/compare/%3Ci%3E%22%26...%22%3E%3Cb%3E`,
      'aria-label': 'Compare with "><b>',
    })
  })
})
