/**
 * Spells out the types of documents, which declarations state as the types of their schemas.
 */
import ts from 'typescript';

/** The library whose types are spelled out. */
export const SCHEMA_LIBRARY = 'valibot';

const FORMAT: ts.NodeBuilderFlags = [
  ts.NodeBuilderFlags.NoTruncation,
  ts.NodeBuilderFlags.InTypeAlias,
  ts.NodeBuilderFlags.UseSingleQuotesForStringLiteralType,
].reduce((flags, flag) => flags | flag);

/** Unions of fewer members are as short as their names. */
const NAMED_UNION_MEMBERS_MIN = 4;

/** What is printed belongs to no file. */
const nowhere = ts.createSourceFile('', '', ts.ScriptTarget.Latest);

/** A replacement of a type, and the declarations that it refers to. */
export interface Replacement {
  readonly text: string;
  readonly uses: readonly ts.Statement[];
}

/** Where a type is spelled out. */
interface TypeContext {
  readonly from: ts.SourceFile;
  /** The alias that is defined there, if any. */
  readonly own: ts.TypeAliasDeclaration | undefined;
  readonly pathTo: PathTo;
}

/** Path of a module from a file, as an import states it. */
export type PathTo = (file: ts.SourceFile | string) => string;

/** The types of documents in one program. Types that have a name are referred to by it. */
export class DocumentTypes {
  readonly #checker: ts.TypeChecker;
  readonly #printer = ts.createPrinter({ removeComments: true });
  readonly #named = new Map<string, ts.TypeAliasDeclaration>();

  constructor(checker: ts.TypeChecker, files: readonly ts.SourceFile[]) {
    this.#checker = checker;
    for (const alias of files.flatMap((file) => file.statements).filter(isDocumentAlias)) {
      const text = this.#print(this.#nodeOf(checker.getTypeAtLocation(alias.name)));
      if (!this.#named.has(text)) this.#named.set(text, alias);
    }
  }

  /** What stands in for a type of the library; none for one that depends on a type parameter. */
  replacementOf(node: ts.Node, pathTo: PathTo): Replacement | undefined {
    const name = libraryTypeOf(node);
    if (name === undefined || !ts.isTypeNode(node) || this.#isGeneric(node)) return undefined;
    const alias = ts.isTypeAliasDeclaration(node.parent) ? node.parent : undefined;
    const place = { own: alias, from: node.getSourceFile(), pathTo };
    const spell = (type: ts.Type) => this.#spell(type, place);
    const type = this.#checker.getTypeFromTypeNode(node);
    if (name === 'InferInput' || name === 'InferOutput') return spell(type);
    const types = type.getProperty('~types');
    if (types === undefined || name === 'GenericSchema') return undefined;
    const pair = this.#checker.getNonNullableType(this.#checker.getTypeOfSymbol(types));
    const member = (each: string) => this.#memberOf(pair, each);
    // A schema that is itself an argument is an output schema, so its input type is never needed.
    const isAnswer = !ts.isPropertySignature(node.parent) && !ts.isVariableDeclaration(node.parent);
    const output = spell(member('output'));
    const input = isAnswer ? { text: 'unknown', uses: [] } : spell(member('input'));
    const both = input.text === output.text ? [input] : [input, output];
    const parameters = both.map(({ text }) => text).join(', ');
    const text = `import('${pathTo('schema-types.d.ts')}').GenericSchema<${parameters}>`;
    return { text, uses: both.flatMap(({ uses }) => uses) };
  }

  /** Spells out a type, but for those parts of it that have a name. */
  #spell(type: ts.Type, { own, from, pathTo }: TypeContext): Replacement {
    const uses: ts.TypeAliasDeclaration[] = [];
    const refer = (context: ts.TransformationContext) => {
      const visit = (node: ts.Node): ts.Node => {
        const alias = deservesAlias(node) ? this.#named.get(this.#print(node)) : undefined;
        if (alias === undefined || alias === own) return ts.visitEachChild(node, visit, context);
        uses.push(alias);
        const file = alias.getSourceFile();
        return reference(alias, file === from ? undefined : pathTo(file));
      };
      return visit;
    };
    const [node] = ts.transform(this.#nodeOf(type), [refer]).transformed;
    if (node === undefined) throw new Error('A type was lost.');
    return { text: this.#print(node), uses };
  }

  /** The compiler's own printer gives up below ten levels, so each level is put together here. */
  #nodeOf(type: ts.Type): ts.TypeNode {
    if (type.isUnion() && type.types.some((each) => this.#isDocument(each))) {
      return this.#unionOf(type.types);
    }
    if (this.#checker.isArrayType(type)) return this.#arrayOf(type);
    if (this.#isDocument(type)) return this.#objectOf(type);
    const node = this.#checker.typeToTypeNode(type, undefined, FORMAT);
    if (node === undefined || (type.flags & ts.TypeFlags.Any) !== 0) {
      throw new Error(`A type cannot be spelled out: ${this.#checker.typeToString(type)}`);
    }
    return node;
  }

  /** Whether a type is that of an object which is stated by its members, or of an array of any. */
  #isDocument(type: ts.Type): boolean {
    if (this.#checker.isArrayType(type)) return true;
    const isAnonymous = type.aliasSymbol === undefined && !type.isClassOrInterface();
    const isObject = (type.flags & ts.TypeFlags.Object) !== 0 && isAnonymous;
    return isObject && type.getProperties().length > 0 && !this.#checker.isTupleType(type);
  }

  #unionOf(types: readonly ts.Type[]): ts.TypeNode {
    const documents = types.filter((each) => this.#isDocument(each));
    const others = types.filter((each) => !this.#isDocument(each));
    const isEmpty = (type: ts.Type) =>
      (type.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) !== 0;
    const ordered = [
      ...others.filter((each) => !isEmpty(each)),
      ...documents,
      ...others.filter(isEmpty),
    ];
    // What an optional member lacks is undefined of a kind of its own.
    const distinct = new Map(ordered.map((each) => [isEmpty(each) ? each.flags : each, each]));
    return ts.factory.createUnionTypeNode([...distinct.values()].map((each) => this.#nodeOf(each)));
  }

  #arrayOf(type: ts.Type): ts.TypeNode {
    const { factory } = ts;
    const [element] = this.#checker.getTypeArguments(type as ts.TypeReference);
    if (element === undefined) throw new Error('An array has no type of elements.');
    const array = factory.createArrayTypeNode(this.#nodeOf(element));
    if (type.symbol.name === 'Array') return array;
    return factory.createTypeOperatorNode(ts.SyntaxKind.ReadonlyKeyword, array);
  }

  #objectOf(type: ts.Type): ts.TypeNode {
    const shallow = this.#checker.typeToTypeNode(type, undefined, FORMAT);
    if (shallow === undefined || !ts.isTypeLiteralNode(shallow)) {
      throw new Error(`Not an object: ${this.#checker.typeToString(type)}`);
    }
    const properties = type.getProperties();
    const members = shallow.members.map((member, index) => {
      const symbol = properties[index];
      if (symbol === undefined || !ts.isPropertySignature(member)) {
        throw new Error(`Not a document: ${this.#checker.typeToString(type)}`);
      }
      const { modifiers, name, questionToken } = member;
      const value = this.#nodeOf(this.#checker.getTypeOfSymbol(symbol));
      return ts.factory.createPropertySignature(modifiers, name, questionToken, value);
    });
    return ts.factory.createTypeLiteralNode(members);
  }

  #print(node: ts.Node): string {
    return this.#printer.printNode(ts.EmitHint.Unspecified, node, nowhere);
  }

  #memberOf(type: ts.Type, name: string): ts.Type {
    const member = this.#checker.getPropertyOfType(type, name);
    if (member === undefined) throw new Error(`A schema states no ${name}.`);
    return this.#checker.getTypeOfSymbol(member);
  }

  #isGeneric(node: ts.Node): boolean {
    const isParameter =
      ts.isIdentifier(node) &&
      ((this.#checker.getSymbolAtLocation(node)?.flags ?? 0) & ts.SymbolFlags.TypeParameter) !== 0;
    return isParameter || (ts.forEachChild(node, (child) => this.#isGeneric(child)) ?? false);
  }
}

/** The name of a type of the schema library that a node refers to. */
function libraryTypeOf(node: ts.Node): string | undefined {
  if (ts.isImportTypeNode(node)) {
    const isLibrary = node.argument.getText().slice(1, -1) === SCHEMA_LIBRARY;
    return isLibrary ? node.qualifier?.getText() : undefined;
  }
  if (!ts.isTypeReferenceNode(node) || !ts.isQualifiedName(node.typeName)) return undefined;
  // The name under which every source imports the library.
  const { left, right } = node.typeName;
  return left.getText() === 'v' ? right.text : undefined;
}

function isDocumentAlias(statement: ts.Statement): statement is ts.TypeAliasDeclaration {
  if (!ts.isTypeAliasDeclaration(statement) || statement.typeParameters !== undefined) return false;
  const isExported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  return isExported === true && libraryTypeOf(statement.type)?.startsWith('Infer') === true;
}

function deservesAlias(node: ts.Node): boolean {
  if (ts.isUnionTypeNode(node)) return node.types.length >= NAMED_UNION_MEMBERS_MIN;
  return ts.isTypeLiteralNode(node);
}

function reference({ name }: ts.TypeAliasDeclaration, path: string | undefined): ts.TypeNode {
  const { factory } = ts;
  if (path === undefined) return factory.createTypeReferenceNode(name.text);
  const module = factory.createLiteralTypeNode(factory.createStringLiteral(path, true));
  return factory.createImportTypeNode(module, undefined, factory.createIdentifier(name.text));
}
