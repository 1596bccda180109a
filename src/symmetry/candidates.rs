//! tmp
pub struct Outcome { pub free: Vec<Vec<usize>>, pub turning: Vec<Vec<usize>>, pub fixed: Vec<usize>, pub generators: Vec<Vec<usize>> }
pub fn search(values: &[String], _budget: &mut u32, attempt: &mut dyn FnMut(&[usize]) -> crate::diag::Result<bool>) -> crate::diag::Result<Outcome> {
    let n = values.len();
    let all: Vec<usize> = (0..n).collect();
    let gens = super::find::generating(n, &all);
    let mut generators = vec![];
    let mut ok = true;
    for g in gens { if attempt(&g)? { generators.push(g); } else { ok = false; } }
    if ok { return Ok(Outcome{free: vec![all], turning: vec![], fixed: vec![], generators}); }
    let mut blocks: Vec<Vec<usize>> = vec![];
    'v: for v in 0..n {
        for b in &mut blocks {
            let mut im: Vec<usize> = (0..n).collect(); im.swap(v, b[0]);
            if attempt(&im)? { generators.push(im); b.push(v); continue 'v; }
        }
        blocks.push(vec![v]);
    }
    let fixed = blocks.iter().filter(|b| b.len()==1).map(|b| b[0]).collect();
    let free = blocks.into_iter().filter(|b| b.len()>1).collect();
    Ok(Outcome{free, turning: vec![], fixed, generators})
}
