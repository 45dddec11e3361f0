import type { Category } from '../../../domain/category.ts'

/** Those of the light pages (static/css/01-tokens.css), because chats keep a picture for either scheme. */
export const colours = {
  ground: '#fbfbfa',
  ink: '#1c1d1f',
  soft: '#62656a',
  accent: '#0f7b4f',
} as const

export const categoryColours: Readonly<Record<Category, string>> = {
  feature: '#1f5fbf',
  bug_fix: '#b42332',
  performance_improvement: '#8a5a00',
  styling_change: '#8a3fa0',
}

/** From a day without deployments to the busiest. */
export const heatColours = ['#ebebe9', '#bfe5d2', '#80cbab', '#3aa577', '#0f7b4f'] as const
