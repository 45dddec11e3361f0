import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./src/data/**/tables.ts', './src/capabilities/*/tables.ts'],
  casing: 'snake_case',
  out: './drizzle',
})
