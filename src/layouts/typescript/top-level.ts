import { type Program, type Statement, Visitor } from 'oxc-parser';

/** A statement at the top level of a file. */
export interface TopLevel {
  readonly statement: Statement;
  /** The names that it declares, except imported names. */
  readonly declares: readonly string[];
  /** The names that it uses, including its own. */
  readonly uses: ReadonlySet<string>;
  /** Whether it declares a type and no runtime value. */
  readonly isType: boolean;
}

const types = new Set(['TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'TSEnumDeclaration']);

/** Lists the statements of a file with the names that they declare and use. */
export function topLevelOf(program: Program): TopLevel[] {
  return program.body.map((statement) => {
    const declaration = declarationOf(statement);
    return {
      statement,
      declares: declaredNames(declaration),
      uses: usedNames(statement),
      isType: types.has(declaration.type),
    };
  });
}

function declarationOf(statement: Statement): Statement {
  const isExport =
    statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration';
  return ((isExport && statement.declaration) || statement) as Statement;
}

function declaredNames(declaration: Statement): string[] {
  if (declaration.type === 'VariableDeclaration') {
    return declaration.declarations.flatMap(({ id }) => [...usedNames(id)]);
  }
  const isNamed = 'id' in declaration && declaration.id?.type === 'Identifier';
  return isNamed ? [(declaration.id as { name: string }).name] : [];
}

/** Returns the names used in a part of a program, except those of properties and members. */
function usedNames(node: object): Set<string> {
  const names = new Set<string>();
  const members = new Set<object>();
  const skipKey = ({ key, computed }: { key: object; computed?: boolean }) => {
    if (!computed) members.add(key);
  };
  const visitor = new Visitor({
    Identifier(identifier) {
      if (!members.has(identifier)) names.add(identifier.name);
    },
    TSPropertySignature: skipKey,
    TSMethodSignature: skipKey,
    PropertyDefinition: skipKey,
    MethodDefinition: skipKey,
    Property(property) {
      if (!property.shorthand) skipKey(property);
    },
    MemberExpression({ property, computed }) {
      if (!computed) members.add(property);
    },
    TSQualifiedName: ({ right }) => void members.add(right),
    TSEnumMember: ({ id }) => void members.add(id),
  });
  visitor.visit({
    type: 'Program',
    body: [node],
    sourceType: 'module',
    hashbang: null,
    start: 0,
    end: 0,
  } as never);
  return names;
}
