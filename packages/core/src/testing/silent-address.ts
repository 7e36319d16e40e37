/**
 * An address at which nothing answers. Its port is below those that systems give to a server that asks for any: a free
 * port would soon belong to another test.
 */
export const SILENT_ADDRESS = '127.0.0.1:2';
