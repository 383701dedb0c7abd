export const tables = [
  `CREATE TABLE regions (
  -- A sales region: one continent or large country
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  currency TEXT NOT NULL -- ISO 4217; all amounts in this file are already in EUR
)`,
  `CREATE TABLE stores (
  -- A shop, a warehouse counter or the web shop
  id INTEGER PRIMARY KEY,
  region_id INTEGER NOT NULL REFERENCES regions(id),
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('shop', 'web')),
  opened_on TEXT NOT NULL, -- date, YYYY-MM-DD
  closed_on TEXT -- NULL while the store is open
)`,
  `CREATE TABLE staff (
  id INTEGER PRIMARY KEY,
  store_id INTEGER NOT NULL REFERENCES stores(id),
  manager_id INTEGER REFERENCES staff(id), -- NULL for a store's manager
  name TEXT NOT NULL,
  hired_on TEXT NOT NULL,
  left_on TEXT -- NULL while employed
)`,
  `CREATE TABLE customers (
  id INTEGER PRIMARY KEY,
  region_id INTEGER NOT NULL REFERENCES regions(id),
  name TEXT NOT NULL,
  email TEXT, -- NULL when the customer did not give one
  city TEXT NOT NULL,
  joined_on TEXT NOT NULL,
  tier TEXT CHECK (tier IN ('bronze', 'silver', 'gold')) -- NULL: not in the loyalty programme
)`,
  `CREATE TABLE suppliers (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  country TEXT NOT NULL,
  contact_email TEXT
)`,
  `CREATE TABLE categories (
  -- Two levels: departments have no parent
  id INTEGER PRIMARY KEY,
  parent_id INTEGER REFERENCES categories(id),
  name TEXT NOT NULL
)`,
  `CREATE TABLE products (
  id INTEGER PRIMARY KEY,
  category_id INTEGER NOT NULL REFERENCES categories(id),
  supplier_id INTEGER NOT NULL REFERENCES suppliers(id),
  name TEXT NOT NULL,
  price REAL NOT NULL, -- list price today, EUR, tax included
  cost REAL NOT NULL, -- what the shop pays, EUR
  launched_on TEXT NOT NULL,
  discontinued_on TEXT -- NULL while on sale
)`,
  `CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers(id),
  store_id INTEGER NOT NULL REFERENCES stores(id),
  staff_id INTEGER REFERENCES staff(id), -- NULL for web orders
  ordered_at TEXT NOT NULL, -- when the customer ordered, UTC
  shipped_at TEXT, -- when it left the store; NULL when not shipped
  status TEXT NOT NULL CHECK (status IN ('open', 'shipped', 'delivered', 'cancelled', 'returned')),
  discount REAL NOT NULL DEFAULT 0 -- share of the total, 0.1 is ten per cent
)`,
  `CREATE TABLE order_items (
  order_id INTEGER NOT NULL REFERENCES orders(id),
  line INTEGER NOT NULL,
  product_id INTEGER NOT NULL REFERENCES products(id),
  quantity INTEGER NOT NULL CHECK (quantity > 0), -- units sold
  unit_price REAL NOT NULL, -- EUR at the time of the order, before the order's discount
  PRIMARY KEY (order_id, line)
) WITHOUT ROWID`,
  `CREATE TABLE payments (
  id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL REFERENCES orders(id),
  method TEXT NOT NULL CHECK (method IN ('card', 'invoice', 'wallet', 'cash')),
  amount REAL NOT NULL, -- EUR
  paid_at TEXT -- NULL: invoice not paid yet
)`,
  `CREATE TABLE returns (
  id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL,
  line INTEGER NOT NULL,
  returned_at TEXT NOT NULL,
  quantity INTEGER NOT NULL,
  reason TEXT, -- NULL when the customer gave none
  FOREIGN KEY (order_id, line) REFERENCES order_items(order_id, line)
)`,
  `CREATE TABLE reviews (
  id INTEGER PRIMARY KEY,
  product_id INTEGER NOT NULL REFERENCES products(id),
  customer_id INTEGER NOT NULL REFERENCES customers(id),
  rating INTEGER NOT NULL CHECK (rating BETWEEN 1 AND 5),
  body TEXT, -- NULL for a rating without words
  written_at TEXT NOT NULL
)`,
];

export const indexes = [
  "CREATE INDEX customers_region ON customers(region_id)",
  "CREATE INDEX products_category ON products(category_id)",
  "CREATE INDEX orders_customer ON orders(customer_id)",
  "CREATE INDEX orders_ordered_at ON orders(ordered_at)",
  "CREATE INDEX order_items_product ON order_items(product_id)",
  "CREATE INDEX payments_order ON payments(order_id)",
  "CREATE INDEX reviews_product ON reviews(product_id)",
];

export const views = [
  `CREATE VIEW order_totals AS
  -- One row an order that was not cancelled: units, and revenue after the discount
  SELECT o.id AS order_id, o.customer_id, o.store_id, o.ordered_at, o.status,
         sum(i.quantity) AS units,
         round(sum(i.quantity * i.unit_price) * (1 - o.discount), 2) AS revenue
  FROM orders o JOIN order_items i ON i.order_id = o.id
  WHERE o.status <> 'cancelled'
  GROUP BY o.id`,
  `CREATE VIEW monthly_sales AS
  SELECT substr(ordered_at, 1, 7) AS month, count(*) AS orders,
         sum(units) AS units, round(sum(revenue), 2) AS revenue
  FROM order_totals GROUP BY month`,
];
