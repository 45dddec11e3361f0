import { startFirefox } from './firefox.ts'
import { startWebkit } from './webkit.ts'

/** The browsers besides Chromium, and the programs that each needs. */
export const otherEngines = [
  { name: 'Firefox', needs: ['firefox-esr'], start: startFirefox },
  { name: 'WebKit', needs: ['WebKitWebDriver', 'Xvfb'], start: startWebkit },
] as const
