/** Finds the folder of programs that the single binary has unpacked; null outside of the binary. */
export const bundledPrograms: ((dataDir: string) => Promise<string | null>) | null = null
