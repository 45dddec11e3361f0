// Files whose path or text is imported: https://bun.com/docs/bundler/executables#embed-assets-%26-files

declare module '@resvg/resvg-wasm/*.wasm' {
  const path: string
  export default path
}

declare module '@expo-google-fonts/inter/*.ttf' {
  const path: string
  export default path
}

declare module 'htmx.org/dist/*' {
  const text: string
  export default text
}

declare module '*.sh' {
  const text: string
  export default text
}

declare module '*.yml' {
  const text: string
  export default text
}

declare module '*.yaml' {
  const text: string
  export default text
}

declare module '*.txt' {
  const text: string
  export default text
}

declare module '*.md' {
  const text: string
  export default text
}
