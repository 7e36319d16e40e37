import { literalText, syntaxNodes } from './syntax-tree.mjs';

/** @typedef {{ specifier: string | undefined, typeOnly: boolean }} Import `specifier` is unknown for `import(variable)` */

/**
 * What a source file imports, in every form there is: `import`, `export … from`, `import()`, `require`, types.
 *
 * @param {string} path
 * @param {string} text
 * @returns {Import[]}
 */
export function listImports(path, text) {
  return syntaxNodes(path, text).flatMap(({ node }) => {
    switch (node.type) {
      case 'ImportDeclaration':
        return [{ specifier: literalText(node.source), typeOnly: isTypeOnly(node, 'importKind') }];
      case 'ExportNamedDeclaration':
      case 'ExportAllDeclaration':
        return node.source ? [{ specifier: literalText(node.source), typeOnly: isTypeOnly(node, 'exportKind') }] : [];
      case 'ImportExpression':
        return [{ specifier: literalText(node.source), typeOnly: false }];
      case 'TSImportType':
        return [{ specifier: literalText(node.source ?? node.argument), typeOnly: true }];
      case 'TSExternalModuleReference':
        return [{ specifier: literalText(node.expression), typeOnly: false }];
      case 'CallExpression':
        return isRequire(node) ? [{ specifier: literalText(firstArgument(node)), typeOnly: false }] : [];
      default:
        return [];
    }
  });
}

/**
 * Only `import type { A }`: with `verbatimModuleSyntax`, `import { type A }` still loads the module.
 *
 * @param {import('./syntax-tree.mjs').SyntaxNode} node
 * @param {'importKind' | 'exportKind'} kind
 */
const isTypeOnly = (node, kind) => node[kind] === 'type';

/**
 * `require(…)` and `require.resolve(…)`.
 *
 * @param {import('./syntax-tree.mjs').SyntaxNode} call
 */
function isRequire(call) {
  const callee = /** @type {import('./syntax-tree.mjs').SyntaxNode} */ (call.callee);
  const object = /** @type {{ name?: string }} */ (callee.type === 'MemberExpression' ? callee.object : callee);
  return object.name === 'require';
}

/** @param {import('./syntax-tree.mjs').SyntaxNode} call */
const firstArgument = (call) => /** @type {unknown[]} */ (call.arguments)[0];
