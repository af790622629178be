// Express 4 and 5: the module is a function that creates applications; here it is their class.

declare class Routes {
  all(path: any, ...handlers: any[]): this;
  delete(path: any, ...handlers: any[]): this;
  get(path: any, ...handlers: any[]): this;
  head(path: any, ...handlers: any[]): this;
  options(path: any, ...handlers: any[]): this;
  param(name: any, handler: any): this;
  patch(path: any, ...handlers: any[]): this;
  post(path: any, ...handlers: any[]): this;
  put(path: any, ...handlers: any[]): this;
  route(path: any): e.IRoute;
  use(...handlers: any[]): this;
  __other__: any;
}

declare class e extends Routes {
  static json(options?: any): any;
  static raw(options?: any): any;
  static static(folder: string, options?: any): any;
  static text(options?: any): any;
  static urlencoded(options?: any): any;
  static __other__: any;
}

declare namespace e {
  class IRoute {
    all(...handlers: any[]): this;
    delete(...handlers: any[]): this;
    get(...handlers: any[]): this;
    head(...handlers: any[]): this;
    options(...handlers: any[]): this;
    patch(...handlers: any[]): this;
    post(...handlers: any[]): this;
    put(...handlers: any[]): this;
    __other__: any;
  }

  class Router extends Routes {}
  class IRouter extends Routes {}
  class Application extends e {}
  class Express extends e {}
}

export = e;
