import { expect, test } from 'bun:test'
import { categoryOf } from '../../src/domain/category.ts'
import { readings } from '../../src/views/docs/categories.tsx'

test.each(readings)('the docs read "%s" as the service does', (firstLine, category) => {
  expect(categoryOf(firstLine)).toBe(category)
})
