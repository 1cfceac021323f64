/** Well-known names. One of them is hardly a misspelling of another (Ramesh is not a misspelt Rajesh). */
export const COMMON_NAMES: readonly string[] = `
aarav abdul abhishek aditi aditya ahmed ajay ajit akash akhil akshay alok aman amar amit amitabh amrita anand anil anita
anjali anjana ankit ankita ankur anna anu anup anuradha anurag aparna archana arjun arun aruna arvind asha ashish ashok
ashwin atul avinash ayesha babu bala balaji bharat bharti bhavesh bhavna chandan chandra charan chetan daksh darshan
deepa deepak deepika dev devi dharmendra dilip dinesh divya farhan fatima ganesh gaurav gautam gayatri geeta girish gita
gopal govind hari harish harsh hasan hemant hitesh imran isha jagdish jaya jayesh jitendra john jyoti kailash kajal kalpana
kamal kamala kamlesh karan kartik kavita kiran kishore komal krishna lakshmi lalit lata leela madhu madhuri mahendra mahesh
malini mamta manish manisha manju manoj mary maya meena meera megha mohan mohit mukesh nagesh naresh narendra naveen neelam
neeraj neha nikhil nilesh nisha nitin pallavi pankaj parul pooja poonam prabha pradeep prakash pramod pranav prasad prashant
pratap praveen preeti priya priyanka pushpa rachna radha raghav rahul raj raja rajan rajat rajendra rajesh rajiv rajni rakesh
ram rama raman ramesh rani rashmi ravi ravindra rekha renu reshma ritu rohan rohit roshan rupa sachin sagar sahil sameer sana
sandeep sangeeta sanjay sanjeev santosh sarita satish saurabh savita seema shalini shankar shanti sharad shashi sheela shilpa
shiv shivam shobha shreya shubham shweta siddharth simran sita smita sneha sohan sonia subhash sudha sudhir suman sumit sunil
sunita suraj surendra suresh sushil sushma swati tanvi tarun tina uday uma umesh usha vandana varun vasant venkat vidya vijay
vikas vikram vimal vinay vineet vinod vipin viraj virendra vishal vivek yash yogesh yusuf zainab
agarwal ahmad ali bajaj banerjee bansal basu bhatia bhatt bose chakraborty chatterjee chauhan chopra choudhary das dasgupta
desai deshmukh deshpande dubey dutta fernandes gandhi george ghosh gill goel gowda goyal gupta hegde hussain iyer iyengar jain
jha joshi kadam kale kapoor kaur khan khanna kulkarni kumar lal mahajan malhotra malik mathur mehra mehta menon mishra mitra
mittal modi mukherjee murthy nair naidu narayan nayak ojha pandey pandit patel pathak patil pawar pillai prajapati puri rana
rao rathore rawat reddy roy sahoo saini sarkar sawant saxena sen seth shah shaikh sharma shetty shinde shukla singh sinha
solanki soni srivastava subramanian tandon thakur thomas tiwari trivedi tripathi tyagi varma verma vyas yadav
mohammad omar hassan ibrahim ismail james kamau kariuki kimani kipchoge maina mary mwangi njoroge nyambura ochieng odhiambo
omondi otieno peter wambui wangari wanjiku wanjiru`
  .trim()
  .split(/\s+/);
