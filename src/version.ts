import packageFile from '../package.json'

/** The version of this release. */
export const version: string = packageFile.version
