export type Node = any;
export function h(type: any, props: any, ...children: any[]): Node;
export function html(strings: TemplateStringsArray, ...values: any[]): Node;
export function render(node: Node, parent: Element): void;
export class Component<P = any, S = any> {
  props: P;
  state: S;
  setState(state: Partial<S>): void;
  forceUpdate(): void;
}
export function createContext<T>(value: T): any;
export function useContext<T = any>(context: any): T;
export function useState<T>(initial: T | (() => T)): [T, (value: T | ((old: T) => T)) => void];
export function useEffect(effect: () => void | (() => void), inputs?: any[]): void;
export function useLayoutEffect(effect: () => void | (() => void), inputs?: any[]): void;
export function useMemo<T>(make: () => T, inputs?: any[]): T;
export function useCallback<T>(call: T, inputs: any[]): T;
export function useRef<T = any>(initial?: T): { current: T };
export function useReducer<S, A>(reduce: (state: S, action: A) => S, initial: S): [S, (action: A) => void];
export function useErrorBoundary(callback?: (error: any) => void): [any, () => void];
