//! A slow and plain computation of the network in double precision, line by line as in
//! `learning/NETWORK.md`.

use krieg_net::Input;

/// A matrix: rows of numbers.
type Matrix = Vec<Vec<f64>>;

/// The output before any softmax.
pub struct Logits {
    pub belief: Matrix,
    pub pair: Matrix,
    pub promotion: Matrix,
    pub any: f64,
    pub value: Vec<f64>,
}

/// The tensors of a file, one after the other.
struct Tensors<'a>(&'a [u8]);

impl Tensors<'_> {
    fn vector(&mut self, count: usize) -> Vec<f64> {
        let (bytes, rest) = self.0.split_at(2 * count);
        self.0 = rest;
        bytes.chunks(2).map(|two| half(u16::from_le_bytes([two[0], two[1]]))).collect()
    }

    fn matrix(&mut self, rows: usize, columns: usize) -> Matrix {
        (0..rows).map(|_| self.vector(columns)).collect()
    }

    /// `x @ weights + bias`, with the next two tensors.
    fn layer(&mut self, x: &Matrix, outputs: usize) -> Matrix {
        let weights = self.matrix(x[0].len(), outputs);
        add_row(product(x, &weights), &self.vector(outputs))
    }
}

/// The value of a finite number of half precision.
fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let exponent = i32::from(bits >> 10 & 31);
    let fraction = f64::from(bits & 1023) / 1024.0;
    let (whole, exponent) = if exponent == 0 { (0.0, -14) } else { (1.0, exponent - 15) };
    sign * (whole + fraction) * 2_f64.powi(exponent)
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let cell = |row: &Vec<f64>, column: usize| -> f64 {
        row.iter().zip(b).map(|(x, y)| x * y[column]).sum()
    };
    a.iter().map(|row| (0..b[0].len()).map(|column| cell(row, column)).collect()).collect()
}

fn add_row(mut matrix: Matrix, row: &[f64]) -> Matrix {
    for line in &mut matrix {
        line.iter_mut().zip(row).for_each(|(x, y)| *x += y);
    }
    matrix
}

fn add(mut a: Matrix, b: &Matrix) -> Matrix {
    for (x, y) in a.iter_mut().zip(b) {
        x.iter_mut().zip(y).for_each(|(x, y)| *x += y);
    }
    a
}

fn map(matrix: &Matrix, function: impl Fn(f64) -> f64) -> Matrix {
    matrix.iter().map(|row| row.iter().map(|&x| function(x)).collect()).collect()
}

/// Some columns of each row.
fn columns(matrix: &Matrix, first: usize, count: usize) -> Matrix {
    matrix.iter().map(|row| row[first..first + count].to_vec()).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// `norm(x) * weights`
fn normalized(x: &Matrix, weights: &[f64]) -> Matrix {
    let line = |row: &Vec<f64>| {
        let root = (dot(row, row) / row.len() as f64 + 1e-5).sqrt();
        row.iter().zip(weights).map(|(x, weight)| x / root * weight).collect()
    };
    x.iter().map(line).collect()
}

pub fn softmax(logits: &[f64]) -> Vec<f64> {
    let max = logits.iter().copied().fold(f64::MIN, f64::max);
    let sum: f64 = logits.iter().map(|x| (x - max).exp()).sum();
    logits.iter().map(|x| (x - max).exp() / sum).collect()
}

/// Computes the output of the network in this valid file.
pub fn logits(file: &[u8], width: usize, layers: usize, heads: usize, input: &Input) -> Logits {
    let header = u32::from_le_bytes(file[12..16].try_into().unwrap()) as usize;
    let mut next = Tensors(&file[16 + header..file.len() - 8]);
    let planes: Matrix = input
        .planes
        .iter()
        .map(|row| row.iter().map(|&x| f64::from(x) / 255.0).collect())
        .collect();
    let scalars = vec![input.scalars.iter().map(|&x| f64::from(x) / 255.0).collect::<Vec<_>>()];

    let mut x = next.layer(&planes, width);
    x = add_row(x, &product(&scalars, &next.matrix(64, width))[0]);
    x = add(x, &next.matrix(64, width));
    for _ in 0..layers {
        let norm = next.vector(width);
        let qkv = next.layer(&normalized(&x, &norm), 3 * width);
        let mut attended = vec![Vec::new(); 64];
        for head in 0..heads {
            let pair_bias = next.matrix(64, 64);
            let size = width / heads;
            let part = |which: usize| columns(&qkv, which * width + head * size, size);
            let (q, k, v) = (part(0), part(1), part(2));
            for i in 0..64 {
                let score = |j: usize| dot(&q[i], &k[j]) / (size as f64).sqrt() + pair_bias[i][j];
                let attention = softmax(&(0..64).map(score).collect::<Vec<_>>());
                attended[i].extend(product(&vec![attention], &v).remove(0));
            }
        }
        x = add(x, &next.layer(&attended, width));
        let norm = next.vector(width);
        let hidden = map(&next.layer(&normalized(&x, &norm), 4 * width), |x| x.max(0.0).powi(2));
        x = add(x, &next.layer(&hidden, width));
    }
    let norm = next.vector(width);
    let y = normalized(&x, &norm);
    let belief = next.layer(&y, 7);
    let (from, to) = (next.layer(&y, 64), next.layer(&y, 64));
    let pairs = from.iter().map(|from| to.iter().map(|to| dot(from, to) / 8.0).collect()).collect();
    let pair = add(pairs, &next.matrix(64, 64));
    let promotion = next.layer(&y, 4);
    let (any, any_bias) = (next.vector(width), next.vector(1)[0]);
    let pooled = next.layer(&y, width);
    let mean = |column: usize| pooled.iter().map(|row| row[column]).sum::<f64>() / 64.0;
    let g: Vec<f64> = (0..width).map(|column| mean(column).max(0.0)).collect();
    let value = next.layer(&vec![g.clone()], 3).remove(0);
    next.layer(&vec![g.clone()], 1);
    assert!(next.0.is_empty(), "all tensors are used");
    Logits { belief, pair, promotion, any: dot(&g, &any) + any_bias, value }
}
