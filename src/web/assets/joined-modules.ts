const imported = /^import (?:(\{[^}]*\}) from )?['"]\.\/(.+?)\.js['"];?$/gm
const exported = /^export ((?:async )?(?:function|const|class) (\w+))/gm

/**
 * Modules as one, so that a browser asks once and not module by module: a constant for each, which holds what it exports,
 * after those of what it imports. They import by `import { a, b } from './x.js'` and export by declaration, and not in a
 * circle.
 */
export function joinedModules(texts: Readonly<Record<string, string>>, entry: string): string {
  const joined = new Set<string>()
  return textOf(entry)

  function textOf(name: string): string {
    if (joined.has(name)) return ''
    joined.add(name)
    const text = texts[`${name}.js`]
    if (text === undefined) throw new Error(`No module is called ${name}`)
    const before = [...text.matchAll(imported)].map(([, , other = '']) => textOf(other))
    const names = [...text.matchAll(exported)].map(([, , each]) => each)
    const body = text
      .replace(imported, (_, names = '', other) =>
        names === '' ? '' : `const ${names} = ${constantOf(other)}`,
      )
      .replace(exported, '$1')
    return `${before.join('')}const ${constantOf(name)} = (() => {\n${body}\nreturn { ${names.join(', ')} }\n})()\n`
  }
}

function constantOf(name: string): string {
  return `module_${name.replaceAll('-', '_')}`
}
